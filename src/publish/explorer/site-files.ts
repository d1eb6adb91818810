import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../../routes/description/openapi.ts';
import { outletBody } from '../../routes/outlet.ts';
import { OPENAPI_KEY, OUTLET_KEY, type OutletExtras } from '../../routes/page-files.ts';
import type { PublishDocument } from '../comparison.ts';

/**
 * The files of the built explorer: its page and what the page loads. They are read at once, since a build may replace the
 * folder while a publish goes on.
 *
 * @param folder of the build
 */
export function readSite(folder: string): PublishDocument[] {
  const keys = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((key) => /\.\w+$/.test(key));
  return keys
    .sort()
    .map((key) => ({ key: key.replaceAll('\\', '/'), body: readFileSync(join(folder, key)) }));
}

/** The files of the explorer, the API description, and an outlet.json that says that files answer here. */
export function* eachSiteFile(
  site: readonly PublishDocument[],
  extras: OutletExtras,
): Generator<PublishDocument> {
  yield* site;
  yield { key: OPENAPI_KEY, body: JSON.stringify(openApiDocument()) };
  yield { key: OUTLET_KEY, body: JSON.stringify(outletBody('files', extras)) };
}

/** Whether a folder holds a build of the explorer. */
export function isBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'));
}
