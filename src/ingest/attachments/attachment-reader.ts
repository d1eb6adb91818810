import { type ChildProcess, spawn } from 'node:child_process';
import { extname, join } from 'node:path';
import type { DocumentText } from '../../store/filings/filing-documents.ts';

/** Version of the text extraction; with another version every attachment is read again. */
export const EXTRACTOR = 'unpdf-1.7+xlsx-9.3+docx/8';

export interface ReadingLimits {
  seconds: number;
  /** Memory of the whole process: JavaScript heap, buffers and code. */
  megabytes: number;
}

const LIMITS: ReadingLimits = { seconds: 30, megabytes: 512 };

/**
 * Reads attachments one by one in a separate process, so that a hostile file can do no harm here. That process may not
 * write files or start programs, and is killed when a file takes too long or too much memory. To be closed when done.
 */
export class AttachmentReader {
  readonly #limits: ReadingLimits;
  #child: ChildProcess | undefined;

  constructor(limits: ReadingLimits = LIMITS) {
    this.#limits = limits;
  }

  /** The text of an attachment as Markdown, or why there is none. */
  async read(bytes: Uint8Array): Promise<DocumentText> {
    const wasUsed = this.#child !== undefined;
    const text = await this.#ask(bytes);
    if (text) return text;
    // Earlier files may have filled the memory; in a new process this one gets all of it.
    const alone = wasUsed ? await this.#ask(bytes) : undefined;
    const { seconds, megabytes } = this.#limits;
    return (
      alone ?? { problem: `could not be read in ${seconds} s and ${megabytes} MB of memory`, late: true }
    );
  }

  close(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  // Undefined when the process ended, or was killed, before it answered.
  async #ask(bytes: Uint8Array): Promise<DocumentText | undefined> {
    this.#child ??= this.#start();
    const child = this.#child;
    const { promise, resolve } = Promise.withResolvers<DocumentText | undefined>();
    const answered = (text: unknown) => resolve(text as DocumentText);
    const ended = () => resolve(undefined);
    const late = setTimeout(() => child.kill('SIGKILL'), this.#limits.seconds * 1000);
    child.once('message', answered).once('exit', ended).once('error', ended);
    child.send(bytes, () => {});
    const text = await promise;
    clearTimeout(late);
    child.off('message', answered).off('exit', ended).off('error', ended);
    if (!text) this.close();
    return text;
  }

  #start(): ChildProcess {
    const { megabytes } = this.#limits;
    const script = join(import.meta.dirname, `reader-process${extname(import.meta.filename)}`);
    const rights = ['--permission', '--allow-fs-read=*', '--allow-worker'];
    const child = spawn(process.execPath, [...rights, script, String(megabytes)], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      env: {},
    });
    // It may also end between two files, for instance when its answer takes the last of the memory.
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    // An error shows as an exit without an answer.
    return child.on('error', () => {});
  }
}
