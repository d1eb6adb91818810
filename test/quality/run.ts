/** Prints how well texts are matched, beside TF-IDF and BM25 of the same run: npm run quality. */
import { type LabelledSet, measure } from './measure.ts';
import { METHODS } from './methods.ts';
import { hasRecordings } from './recorded-texts.ts';
import { rewordedSet } from './reworded.ts';
import { judgedSet, PARTS, proposedPairs, worldSet } from './sets.ts';

const FLOOR = 0.55;

const sets: LabelledSet[] = [rewordedSet(), ...PARTS.map((part) => worldSet(part, 300))];
if (hasRecordings) {
  for (const kind of ['same', 'of_event'] as const)
    for (const part of PARTS) sets.push(judgedSet(kind, part));
  sets.push(proposedPairs());
}
const percent = (share: number) => (Number.isNaN(share) ? '-' : `${(100 * share).toFixed(1)}%`).padStart(7);
for (const set of sets) {
  console.log(`\n${set.name}: ${set.queries.length} questions, ${set.pool.length} texts`);
  console.log('              first  first 3  near miss  recall  precision');
  for (const method of METHODS) {
    const { first, firstThree, nearMiss, recall, precision } = measure(method, set, FLOOR);
    const same = method.name === 'foremark' ? `${percent(recall)}  ${percent(precision)}` : '';
    console.log(
      `  ${method.name.padEnd(10)}${percent(first)}  ${percent(firstThree)}  ${percent(nearMiss)}  ${same}`,
    );
  }
}
