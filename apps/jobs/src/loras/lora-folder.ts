import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LoraProblem } from './lora-problem';

const FILE = /^[0-9a-f]{64}\.safetensors$/;
const PART = /^\.part-/;
/** What a process that died has left of a download. */
const STALE_PART_MS = 6 * 3_600_000;
/** Where it is noted what an address held; a folder of its own, so that no loader lists it. */
const NOTES = '.kinora-urls';

interface StoredFile {
  name: string;
  bytes: number;
  /** Until then a job may need it. It is the file's time of change, so that all processes and restarts agree on it. */
  neededUntilMs: number;
}

/**
 * A folder that a backend loads LoRAs from: files named by their content, which appear whole or not at all. The least
 * recently needed go when it is full, and never one that a job may still need. Other files in it are not touched.
 */
export class LoraFolder {
  constructor(
    private readonly dir: string,
    private readonly maxBytes: number,
  ) {}

  /** The file that the address held at most so long ago, kept for as long as it is needed; null where it must be fetched. */
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

  /** Stores what the address holds. @throws whatever reading it throws; nothing is left of it then. */
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

  /** The folder itself is the operator's: where it is not mounted, files must not land on another disk. */
  private async makeNotes(): Promise<void> {
    try {
      await mkdir(path.join(this.dir, NOTES));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') return;
      throw code === 'ENOENT' ? new LoraProblem('The shared folder of LoRAs is not there.', false) : error;
    }
  }

  private async moveIn(part: string, name: string, untilMs: number): Promise<void> {
    if (await this.keep(name, untilMs)) return;
    // Before it has its name, or another process could take it for one that nobody needs.
    await utimes(part, new Date(), new Date(untilMs));
    await rename(part, path.join(this.dir, name));
  }

  /** Marks a file as needed at least until then. False where it is not there. */
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
    if (total > this.maxBytes) throw new LoraProblem('The folder of LoRAs is full of those in use.', false);
  }

  /** The files that are ours; what downloads of dead processes left goes on the way. */
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
