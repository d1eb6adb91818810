import { expect, it } from 'vitest';
import { selectTextsDue } from '../../../src/store/filings/filing-documents.ts';
import { findFilingTextState, listMarketsOfTerms } from '../../../src/store/filings/series-filings.ts';
import { FollowedReader } from '../../helpers/followed-reader.ts';
import { memoryStore } from '../../helpers/memory-store.ts';

it('the markets of a filing’s terms are found from the filing on, however long the catalog is', () => {
  const store = memoryStore();
  const plan = store.read((reader) => {
    const followed = new FollowedReader(reader);
    listMarketsOfTerms(followed, 1, 10);
    return followed.plan;
  });
  expect(plan[0]).toMatch(/^SEARCH series_filings /);
  expect(plan.filter((step) => step.startsWith('SCAN'))).toEqual([]);
});

it('what a run asks of the texts of all attachments walks through none of them', () => {
  const store = memoryStore();
  const plan = store.read((reader) => {
    const followed = new FollowedReader(reader);
    selectTextsDue(followed, 'this version', 10);
    findFilingTextState(followed);
    return followed.plan;
  });
  const steps = plan.filter((step) => step.includes(' document_texts '));
  expect(steps).toHaveLength(2);
  for (const step of steps) expect(step).toContain('USING COVERING INDEX');
});
