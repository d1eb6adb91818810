import { z } from 'zod';
import { count, day, rowsOf, text } from './scalars.ts';

/** The requests of an account as they are answered. */

const requests = {
  total_requests: count.describe('Requests that were answered'),
  successful_requests: count.describe('Those answered below status 400'),
  error_requests: count.describe('Those answered with an error; what a budget refused is not counted'),
};

export const usageReport = z.strictObject({
  from: day,
  to: day,
  ...requests,
  daily: rowsOf(z.strictObject({ day, ...requests }), 'By UTC day, oldest first'),
  by_endpoint: rowsOf(
    z.strictObject({
      endpoint: text.meta({ description: 'Template of the path', examples: ['/api/v1/markets/{id}'] }),
      ...requests,
    }),
    'By template of the path',
  ),
});
