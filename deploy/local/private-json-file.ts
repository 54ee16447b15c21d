import { open, readFile, rename, rm } from 'node:fs/promises';
import { errorCode } from './start-problem';

/** A JSON file that only its owner may read. It is replaced atomically: a reader gets the old content or the new. */
export class PrivateJsonFile<Content extends object> {
  private lastWrite: Promise<void> = Promise.resolve();

  constructor(readonly path: string) {}

  /** Null if the file does not exist. */
  async read(): Promise<Content | null> {
    try {
      return JSON.parse(await readFile(this.path, 'utf8')) as Content;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  /** Writes are serialized, so that the content of the last call stays. */
  write(content: Content): Promise<void> {
    const text = `${JSON.stringify(content, null, 2)}\n`;
    this.lastWrite = this.lastWrite.catch(() => undefined).then(() => this.replace(text));
    return this.lastWrite;
  }

  async remove(): Promise<void> {
    await this.lastWrite.catch(() => undefined);
    await rm(this.path, { force: true });
  }

  private async replace(text: string): Promise<void> {
    const draft = `${this.path}.new`;
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.writeFile(text);
      // Without the sync, a power cut could leave an empty file under the final name.
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, this.path);
  }
}
