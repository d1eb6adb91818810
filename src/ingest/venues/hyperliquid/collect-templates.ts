import { z } from 'zod';
import { findNote, setNote } from '../../../store/notes.ts';
import type { Feed } from '../../feed.ts';
import type { VenueRun } from '../venue.ts';
import { infoRequest } from './info-request.ts';
import { parseTemplates, type Templates } from './templates.ts';

/** Note of the templates that the venue gave last, by name. */
const TEMPLATES = 'templates';
const templatesNote = z.array(
  z.tuple([z.string(), z.object({ title: z.string(), rules: z.string().optional() })]),
);

/** Fetches the venue's templates; if it does not answer, uses those that it gave last. */
export async function collectTemplates(run: VenueRun, feed: Feed): Promise<Templates> {
  return (await feed.part(() => fetchTemplates(run, feed))) ?? knownTemplates(run, feed);
}

async function fetchTemplates(run: VenueRun, feed: Feed): Promise<Templates> {
  const answer = await feed.fetch(infoRequest(run.config, { type: 'outcomeTemplates' }));
  const page = parseTemplates(answer.json);
  feed.keep(answer, page, (writer) => {
    setNote(writer, feed.name, TEMPLATES, [...page.templates]);
    return {};
  });
  return page.templates;
}

function knownTemplates({ store }: VenueRun, feed: Feed): Templates {
  return new Map(store.read((reader) => findNote(reader, feed.name, TEMPLATES, templatesNote)));
}
