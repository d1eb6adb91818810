import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../../routes/description/openapi.ts';
import { outletBody } from '../../routes/outlet.ts';
import { OPENAPI_KEY, OUTLET_KEY, type OutletExtras } from '../../routes/page-files.ts';
import type { PublishDocument } from '../comparison.ts';

/**
 * The built explorer as documents: its page, what the page loads, the API description, and an outlet.json that says that
 * files answer here.
 *
 * @param folder of the build
 */
export function* eachSiteFile(folder: string, extras: OutletExtras): Generator<PublishDocument> {
  for (const key of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
    if (/\.\w+$/.test(key)) yield { key: key.replaceAll('\\', '/'), body: readFileSync(join(folder, key)) };
  yield { key: OPENAPI_KEY, body: JSON.stringify(openApiDocument()) };
  yield { key: OUTLET_KEY, body: JSON.stringify(outletBody('files', extras)) };
}

/** Whether a folder holds a build of the explorer. */
export function isBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'));
}
