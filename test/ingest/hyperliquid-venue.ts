import { type FixtureVenue, raw } from './fixture-venue.ts';

/** A request to the venue's only route. */
interface Asked {
  type: string;
  outcome?: number;
  coin?: string;
  req?: { coin: string; interval: string; startTime: number };
}

/** Answers the venue's only route by the type of the request; of what a test leaves out the venue knows nothing. */
export function answerOutcomes(
  venue: FixtureVenue,
  answers: Record<string, (asked: Asked) => unknown>,
): void {
  const known: typeof answers = { spotMetaAndAssetCtxs: () => [{}, []], ...answers };
  venue.on('/hyperliquid/info', (_query, body) => {
    const asked = JSON.parse(body) as Asked;
    return known[asked.type]?.(asked) ?? raw('null');
  });
}
