import { dirname, join } from 'node:path';
import { ForemarkError, messageOf } from '../model/errors.ts';
import { FolderFiles } from '../publish/sinks/folder-files.ts';

/** Writes a file below a folder, whole or not at all. @throws ForemarkError sink_unavailable, which names the file */
export function writeWhole(folder: string, name: string, text: string): void {
  try {
    const files = new FolderFiles(folder);
    files.removeLeftovers([dirname(name)]);
    files.put(name, Buffer.from(text), true);
  } catch (cause) {
    throw new ForemarkError('sink_unavailable', `${join(folder, name)}: ${messageOf(cause)}`, { cause });
  }
}
