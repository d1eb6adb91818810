import type { Config } from '../../model/config.ts';
import { folderSink } from './folder.ts';
import type { Sink } from './sink.ts';

/**
 * The sink that the settings name: the bucket where one is given, else the folder.
 *
 * @param deadline asked at the start of each operation on a bucket for its end
 */
export async function openSink(settings: Config['publish'], deadline: () => AbortSignal): Promise<Sink> {
  if (!settings.s3) return folderSink(settings.folder);
  const { openS3Sink } = await import('./s3.ts');
  return openS3Sink({ ...settings.s3, deadline });
}
