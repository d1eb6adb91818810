/** The thread that answers searches, one at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { ForemarkError } from '../../model/errors.ts';
import { routes } from '../../routes/routes.ts';
import { openStore } from '../../store/store.ts';
import { answerFrom } from '../answers/answer.ts';
import { lowerPriority } from './lower-priority.ts';
import type { SearchReply, SearchRequest } from './searches.ts';

lowerPriority();
const store = openStore((workerData as { path: string }).path, { readonly: true });

parentPort?.on('message', ({ path, tier, ...request }: SearchRequest) => {
  const route = routes.find((each) => each.path === path && each.tiers.includes(tier));
  let reply: SearchReply;
  try {
    reply = { answered: route && answerFrom(store, route, { tier, ...request }) };
  } catch (thrown) {
    if (thrown instanceof ForemarkError) {
      const { code, message, detail, retryAfterSeconds } = thrown;
      reply = { refused: { code, message, detail, retryAfterSeconds } };
    } else reply = { fault: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  }
  parentPort?.postMessage(reply);
});
