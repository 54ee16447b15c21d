import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LoraProblem } from './lora-problem';

const FILE = /^[0-9a-f]{64}\.safetensors$/;
const PART = /^\.part-/;
/** A partial download of a dead process. */
const STALE_PART_MS = 6 * 3_600_000;
/** Notes which file an address held. A folder of its own, so that no LoRA loader lists it. */
const NOTES = '.kinora-urls';

interface StoredFile {
  name: string;
  bytes: number;
  /**
   * A job may need the file until then. Stored as the time of change of the file, so that all processes and restarts agree on
   * it.
   */
  neededUntilMs: number;
}

/**
 * A folder that a backend loads LoRAs from. Files are named by their content and appear whole or not at all. When the folder is
 * full, the least recently needed files are evicted, never one that a job may still need. Other files are not touched.
 */
export class LoraFolder {
  constructor(
    private readonly dir: string,
    private readonly maxBytes: number,
  ) {}

  /** The file that the address held at most `maxAgeMs` ago, kept until `untilMs`; null if it must be fetched. */
  async find(url: string, needed: { maxAgeMs: number; untilMs: number }): Promise<string | null> {
    try {
      const note = this.notePath(url);
      const [name, { mtimeMs }] = await Promise.all([readFile(note, 'utf8'), stat(note)]);
      if (Date.now() - mtimeMs > needed.maxAgeMs || !FILE.test(name)) return null;
      return (await this.keep(name, needed.untilMs)) ? name : null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** Stores the content of the address. Errors of the content propagate, and the partial file is then deleted. */
  async store(url: string, content: AsyncIterable<Buffer>, untilMs: number): Promise<string> {
    await this.makeNotes();
    const part = path.join(this.dir, `.part-${randomUUID()}`);
    const hash = createHash('sha256');
    try {
      await pipeline(content, hashing(hash), createWriteStream(part, { flags: 'wx' }));
      const name = `${hash.digest('hex')}.safetensors`;
      await this.makeRoom((await stat(part)).size, name);
      await this.moveIn(part, name, untilMs);
      await writeFile(this.notePath(url), name);
      return name;
    } finally {
      await rm(part, { force: true });
    }
  }

  /** The operator provides the folder itself. If it is not mounted, creating it would put the files onto another disk. */
  private async makeNotes(): Promise<void> {
    try {
      await mkdir(path.join(this.dir, NOTES));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') return;
      throw code === 'ENOENT' ? new LoraProblem('The shared folder of LoRAs does not exist.', false, null) : error;
    }
  }

  private async moveIn(part: string, name: string, untilMs: number): Promise<void> {
    if (await this.keep(name, untilMs)) return;
    // Set before the rename: otherwise another process could evict the file as unneeded.
    await utimes(part, new Date(), new Date(untilMs));
    await rename(part, path.join(this.dir, name));
  }

  /** Extends the time until which a file is needed. False if it does not exist. */
  private async keep(name: string, untilMs: number): Promise<boolean> {
    const file = path.join(this.dir, name);
    try {
      const { mtimeMs } = await stat(file);
      await utimes(file, new Date(), new Date(Math.max(mtimeMs, untilMs)));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }

  private async makeRoom(bytes: number, name: string): Promise<void> {
    const files = await this.list();
    if (files.some((file) => file.name === name)) return;
    let total = files.reduce((sum, file) => sum + file.bytes, bytes);
    const spare = files.filter(({ neededUntilMs }) => neededUntilMs < Date.now());
    for (const file of spare.sort((one, other) => one.neededUntilMs - other.neededUntilMs)) {
      if (total <= this.maxBytes) break;
      await rm(path.join(this.dir, file.name), { force: true });
      total -= file.bytes;
    }
    if (total > this.maxBytes)
      throw new LoraProblem('The shared folder of LoRAs is full, and all of them are in use.', false, null);
  }

  /** The files of this class. Deletes stale partial downloads on the way. */
  private async list(): Promise<StoredFile[]> {
    const names = await readdir(this.dir);
    const found = await Promise.all(
      names.map(async (name) => {
        const stats = await stat(path.join(this.dir, name)).catch(() => null);
        const isStale = PART.test(name) && stats !== null && Date.now() - stats.mtimeMs > STALE_PART_MS;
        if (isStale) await rm(path.join(this.dir, name), { force: true });
        return FILE.test(name) && stats ? [{ name, bytes: stats.size, neededUntilMs: stats.mtimeMs }] : [];
      }),
    );
    return found.flat();
  }

  private notePath(url: string): string {
    return path.join(this.dir, NOTES, createHash('sha256').update(url).digest('hex'));
  }
}

function hashing(hash: ReturnType<typeof createHash>): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (chunks) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
}
