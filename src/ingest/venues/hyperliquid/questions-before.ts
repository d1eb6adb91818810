import { z } from 'zod';
import { findNote, setNote } from '../../../store/notes.ts';
import type { Reader, Writer } from '../../../store/store.ts';
import type { OutcomesPage } from './parse-outcomes.ts';
import type { Parent } from './wire.ts';

/** Note of the questions of the outcomes that are live. */
const QUESTIONS = 'questions';
const questionsNoted = z.array(
  z.object({
    question: z.number(),
    name: z.string(),
    description: z.string().optional(),
    /** The live outcomes that answer it. */
    outcomes: z.array(z.number()),
  }),
);

/** The questions of the outcomes that were live in the last list, by the number of the outcome. */
export function findQuestions(reader: Reader, feed: string): ReadonlyMap<number, Parent> {
  const noted = findNote(reader, feed, QUESTIONS, questionsNoted) ?? [];
  return new Map(
    noted.flatMap(({ outcomes, ...question }) =>
      outcomes.map((each): [number, Parent] => [each, { description: undefined, ...question }]),
    ),
  );
}

/** Notes the questions of the outcomes that are live. */
export function noteQuestions(writer: Writer, feed: string, { ids, parents }: OutcomesPage): void {
  const live = ids.map(Number).filter((each) => parents.has(each));
  const noted = Map.groupBy(live, (each) => parents.get(each)?.question);
  setNote(
    writer,
    feed,
    QUESTIONS,
    [...noted.values()].map((outcomes) => {
      const { question, name, description } = parents.get(outcomes[0] as number) as Parent;
      return { question, name, description, outcomes };
    }),
  );
}
