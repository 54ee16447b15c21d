import { atMost, type Goal } from '../goals';
import { median } from '../load';
import type { SoakWindow } from './soak-window';

/** Heap sizes vary, and one quiet minute is no trend: only a difference beyond both bounds counts as growth. */
const MEMORY_FACTOR = 1.1;
const MEMORY_SLACK_MB = 5;
const LATENCY_FACTOR = 1.25;
const LATENCY_SLACK_MS = 5;
const MAX_OUTBOX_AGE_MS = 2_000;

/**
 * No figure may grow: the median of the last third is compared with that of the second third. The first third is left out: V8
 * compiles and caches fill then, and the sandbox's cache keeps tasks for ten minutes.
 */
export function verdictOf(windows: SoakWindow[], missingWebhooks: number): Goal[] {
  const third = Math.max(1, Math.floor(windows.length / 3));
  const early = windows.slice(third, 2 * third);
  const late = windows.slice(-third);
  const grows = (
    what: string,
    unit: string,
    limitOf: (early: number) => number,
    of: (one: SoakWindow) => number,
  ): Goal => atMost(what, limitOf(median(early.map(of))), median(late.map(of)), unit);
  const latency = (early: number): number => early * LATENCY_FACTOR + LATENCY_SLACK_MS;
  const memory = (early: number): number => early * MEMORY_FACTOR + MEMORY_SLACK_MB;
  return [
    ...Object.keys(windows.at(-1)?.memoryMb ?? {}).map((name) =>
      grows(`memory of ${name} stays`, 'MB', memory, ({ memoryMb }) => memoryMb[name] ?? Number.NaN),
    ),
    grows('accept p50 stays', 'ms', latency, ({ p50Ms }) => p50Ms),
    grows('accept p99 stays', 'ms', latency, ({ p99Ms }) => p99Ms),
    grows('webhook p99 stays', 'ms', latency, ({ webhookP99Ms }) => webhookP99Ms),
    atMost('outbox age p99', MAX_OUTBOX_AGE_MS, worstOutbox(windows), 'ms'),
    atMost('creates that failed', 0, sum(windows.map(({ errors }) => errors))),
    atMost('webhooks that are missing', 0, missingWebhooks),
  ];
}

/** The highest of the windows' 99th percentiles: no window may be slow. */
function worstOutbox(windows: SoakWindow[]): number {
  return Math.max(...windows.map(({ outboxP99Ms }) => outboxP99Ms));
}

function sum(figures: number[]): number {
  return figures.reduce((total, one) => total + one, 0);
}
