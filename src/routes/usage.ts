import { z } from 'zod';
import { addDays, utcDay } from '../model/time.ts';
import { listRequestCounts, type RequestCount } from '../store/request-counts.ts';
import { wholeNumber } from './parameters.ts';
import { route } from './route.ts';

const DAYS = 30;

const usageReport = route({
  path: '/usage',
  summary: 'Requests of your own account, by UTC day and by path',
  tiers: ['authenticated'],
  scope: 'any',
  caching: 'never',
  reportsRequests: true,
  query: z.object({ days: wholeNumber(1, 90).default(DAYS) }),
  answer({ reader, organization = '', now, query: { days } }) {
    const to = utcDay(now);
    const from = addDays(to, 1 - days);
    const counts = listRequestCounts(reader, organization, { from, to });
    const endpoints = [...new Set(counts.map((each) => each.endpoint))].sort();
    return {
      from,
      to,
      ...sum(counts),
      daily: Array.from({ length: days }, (_, i) => {
        const day = addDays(from, i);
        return { day, ...sum(counts.filter((each) => each.day === day)) };
      }),
      by_endpoint: endpoints.map((endpoint) => ({
        endpoint,
        ...sum(counts.filter((each) => each.endpoint === endpoint)),
      })),
    };
  },
});

function sum(counts: readonly RequestCount[]) {
  const successful_requests = counts.reduce((total, each) => total + each.successful, 0);
  const error_requests = counts.reduce((total, each) => total + each.failed, 0);
  return { total_requests: successful_requests + error_requests, successful_requests, error_requests };
}

export const usageRoutes = [usageReport];
