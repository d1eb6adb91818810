import { z } from 'zod';
import { count, day, rowsOf, text } from './scalars.ts';

/** The requests of an account as they are answered. */

const requests = {
  total_requests: count.describe('Number of requests; those refused by the request budget are not counted'),
  successful_requests: count.describe('Requests answered with a status below 400'),
  error_requests: count.describe('Requests answered with an error'),
};

export const usageReport = z.strictObject({
  from: day.describe('First UTC day of the report'),
  to: day.describe('Last UTC day of the report'),
  ...requests,
  daily: rowsOf(z.strictObject({ day, ...requests }), 'Requests by UTC day, oldest first'),
  by_endpoint: rowsOf(
    z.strictObject({
      endpoint: text.meta({ description: 'Path as a template', examples: ['/api/v1/markets/{id}'] }),
      ...requests,
    }),
    'Requests by path',
  ),
});
