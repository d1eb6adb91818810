import type { Config } from '../../model/config.ts';
import { given } from '../../model/given.ts';
import { folderSink } from './folder.ts';
import type { Sink } from './sink.ts';

/**
 * The sink that the settings name: the bucket where one is given, else the folder.
 *
 * @param deadline asked at the start of each operation on a bucket for its end
 * @param tell is told now and then what is wrong with a bucket, while it is tried again
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
