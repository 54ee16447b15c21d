import { statfs } from 'node:fs/promises';
import { errorCode, StartProblem } from './start-problem';

const MB = 1_000_000;
/** With less space, PostgreSQL cannot create its next file of 16 MB, and JetStream refuses to store events. */
const LEAST_FREE_BYTES = 64 * MB;
const POLL_INTERVAL_MS = 5_000;

/** Free bytes for ordinary users on the disk of a folder. */
export type ReadFreeBytes = (folder: string) => Promise<number>;

const readFreeBytes: ReadFreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** @throws StartProblem if there is too little space to start; a disk that fills up during the start gives less clear errors. */
export async function assertDiskHasRoom(folder: string, readFree = readFreeBytes): Promise<void> {
  const freeBytes = await readFree(folder);
  if (freeBytes < LEAST_FREE_BYTES) throw new StartProblem(`${describeShortage(folder, freeBytes)} Free some space.`);
}

/** Reports once that the disk of a running stack is full, and once that it has space again. */
export class DiskWatch {
  private isFull = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly folder: string,
    private readonly print: (text: string) => void,
    private readonly readFree: ReadFreeBytes = readFreeBytes,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.sample(), POLL_INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  async sample(): Promise<void> {
    const freeBytes = await this.readFree(this.folder).catch(() => null);
    if (freeBytes === null || freeBytes < LEAST_FREE_BYTES === this.isFull) return;
    this.isFull = !this.isFull;
    this.print(
      this.isFull
        ? `${describeShortage(this.folder, freeBytes)} Until you free some space, what needs the disk is answered 503; nothing that was accepted is lost.`
        : `The disk of ${this.folder} has room again: ${toMb(freeBytes)} MB are free.`,
    );
  }
}

/** One line for an error caused by a full disk; null for any other error. */
export function explainFullDisk(error: unknown): string | null {
  if (errorCode(error) !== 'ENOSPC') return null;
  const { path } = error as { path?: string };
  return `The disk is full${path === undefined ? '' : ` (${path} cannot be written)`}: free some space, or set KINORA_DATA_DIR to another disk.`;
}

function describeShortage(folder: string, freeBytes: number): string {
  return `The disk of ${folder} is full: ${toMb(freeBytes)} MB are free, and Kinora needs ${toMb(LEAST_FREE_BYTES)} MB.`;
}

function toMb(bytes: number): number {
  return Math.floor(bytes / MB);
}
