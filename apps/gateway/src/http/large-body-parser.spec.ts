import { readdirSync } from 'node:fs';
import { availableParallelism, getPriority } from 'node:os';
import { BACKGROUND_PERMITS } from '../../../../libs/service-kit/src/background-process/background-permits';
import { createTestLog, waitFor } from '@kinora/testing';
import { LARGE_BODY_WORKER } from '../../test/gateway.fixtures';
import { greyPng, toDataUri } from '../../test/image.fixtures';
import { LargeBodyParser } from './large-body-parser';

const IMAGE = greyPng(64, 64, 10_000_000);

const parser = new LargeBodyParser(LARGE_BODY_WORKER, createTestLog().logger);

afterAll(() => parser.close());

const NO_HASHES = { canonical: false, bytes: false };

/** Pieces with their own ArrayBuffers, like a received body. */
function bodyWith(image: string): Uint8Array<ArrayBuffer>[] {
  const bytes = new TextEncoder().encode(JSON.stringify({ prompt: 'warmer', image }));
  const half = Math.floor(bytes.length / 2);
  return [bytes.slice(0, half), bytes.slice(half)];
}

/** Counts the iterations of the event loop until the work is done. */
async function ticksDuring(work: Promise<unknown>): Promise<number> {
  let ticks = 0;
  let isDone = false;
  const count = (): void => {
    ticks += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isDone = true;
  return ticks;
}

/** Counts the threads of this process with a lower priority than the event loop. */
function countYieldingThreads(): number {
  const priorities = readdirSync('/proc/self/task').map((id) => getPriority(Number(id)));
  return priorities.filter((priority) => priority > getPriority(process.pid)).length;
}

/** Takes all permits for long work of this machine. @returns what releases them. */
async function holdPermits(): Promise<() => void> {
  let held = 0;
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const permits = Math.max(1, availableParallelism() - 1);
  for (let place = 0; place < permits; place++)
    void BACKGROUND_PERMITS.run(() => {
      held += 1;
      return isReleased;
    });
  await waitFor(() => held === permits);
  return release;
}

describe('a large body', () => {
  it('is parsed on a worker thread while the event loop keeps running', async () => {
    await parser.parse(bodyWith('x'), NO_HASHES);
    const body = bodyWith(toDataUri(IMAGE));
    expect(await ticksDuring(parser.parse(body, { canonical: true, bytes: false }))).toBeGreaterThan(20);
  });

  it('waits for a permit if it has more than 4 MiB, and others do not wait for it', async () => {
    if (process.platform !== 'linux') return;
    const release = await holdPermits();
    const order: string[] = [];
    const parse = (image: Buffer, name: string): Promise<unknown> =>
      parser.parse(bodyWith(toDataUri(image)), NO_HASHES).then(() => order.push(name));
    const large = parse(IMAGE, 'of 13 MB');
    await parse(IMAGE.subarray(0, 1_000_000), 'of 1.3 MB');
    order.push('released');
    release();
    await large;
    expect(order).toEqual(['of 1.3 MB', 'released', 'of 13 MB']);
  });

  it('is parsed by a thread with a lower priority than the event loop', async () => {
    const before = countYieldingThreads();
    const other = new LargeBodyParser(LARGE_BODY_WORKER, createTestLog().logger);
    await other.parse(bodyWith('x'), NO_HASHES);
    const yielding = countYieldingThreads() - before;
    await other.close();
    // Only Linux has a priority per thread, and the thread cannot be lower where the process already runs at this
    // priority.
    const yields = process.platform === 'linux' && getPriority(process.pid) < 10;
    expect(yielding).toBe(yields ? 1 : 0);
  });

  it('is transferred without a copy, and its image comes back as bytes', async () => {
    const body = bodyWith(toDataUri(IMAGE));
    const { value } = await parser.parse(body, NO_HASHES);
    expect(body.map(({ buffer }) => buffer.byteLength)).toEqual([0, 0]);
    const { image } = value as { image: Uint8Array };
    expect(IMAGE.equals(image)).toBe(true);
  });
});
