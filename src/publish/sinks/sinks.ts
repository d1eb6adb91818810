import type { Config } from '../../model/config.ts';
import { given } from '../../model/given.ts';
import { folderSink } from './folder.ts';
import type { Sink } from './sink.ts';

/**
 * The sink of the settings: a bucket if there is one, otherwise the folder.
 *
 * @param deadline is called at the start of each operation on a bucket
 * @param tell is called now and then with a problem that is being retried
 */
export async function openSink(
  settings: Config['publish'],
  deadline: () => AbortSignal,
  tell?: (text: string) => void,
): Promise<Sink> {
  if (!settings.s3) return folderSink(settings.folder);
  const { openS3Sink } = await import('./s3.ts');
  return openS3Sink({ ...settings.s3, deadline, ...given({ tell }) });
}
