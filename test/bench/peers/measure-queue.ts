import { EventEmitter, once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { type LoadResult, medianOf, percentile, runLoad } from '../load';
import type { QueuePeer } from './queue-peer';

export interface QueueFigures {
  enqueued: LoadResult;
  begunPerSecond: number;
  pickupP50Ms: number;
  pickupP99Ms: number;
}

const CLIENTS = 32;
const ROUNDS = 5;
const ROUND_MS = 2_000;
const PICKUPS = 100;
/** A slow queue does not have to finish the whole backlog. */
const DRAIN_WITHIN_MS = 10_000;

/** Rates of a queue: jobs added, queued jobs started, and the latency of a job that an idle worker picks up. */
export async function measureQueue(startEmpty: () => Promise<QueuePeer>): Promise<QueueFigures> {
  const busy = await startEmpty();
  const line = await measureLine(busy).finally(() => busy.close());
  const idle = await startEmpty();
  const pickups = await measurePickups(idle).finally(() => idle.close());
  return { ...line, ...pickups };
}

async function measureLine(queue: QueuePeer): Promise<Pick<QueueFigures, 'enqueued' | 'begunPerSecond'>> {
  let enqueued = 0;
  const rounds: LoadResult[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push(await runLoad({ clients: CLIENTS, durationMs: ROUND_MS, work: () => queue.enqueue(enqueued++) }));
  const startedAt = performance.now();
  let begun = 0;
  const drained = new EventEmitter();
  await queue.work(() => {
    begun += 1;
    if (begun === enqueued) drained.emit('drained');
  });
  await once(drained, 'drained', { signal: AbortSignal.timeout(DRAIN_WITHIN_MS) }).catch(() => undefined);
  return { enqueued: medianOf(rounds), begunPerSecond: (begun / (performance.now() - startedAt)) * 1_000 };
}

async function measurePickups(queue: QueuePeer): Promise<Pick<QueueFigures, 'pickupP50Ms' | 'pickupP99Ms'>> {
  const begun = new EventEmitter();
  await queue.work(() => begun.emit('job'));
  const waitsMs: number[] = [];
  for (let pickup = 0; pickup < PICKUPS; pickup++) {
    const picked = once(begun, 'job');
    const enqueuedAt = performance.now();
    await queue.enqueue(pickup);
    await picked;
    waitsMs.push(performance.now() - enqueuedAt);
  }
  waitsMs.sort((one, other) => one - other);
  return { pickupP50Ms: percentile(waitsMs, 0.5), pickupP99Ms: percentile(waitsMs, 0.99) };
}
