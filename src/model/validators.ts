import { z } from 'zod';

/** What a server tells versions of a resource apart by; sent back, it answers in full only if that has changed. */
export const validators = z.object({ etag: z.string().optional(), last_modified: z.string().optional() });
export type Validators = z.output<typeof validators>;
