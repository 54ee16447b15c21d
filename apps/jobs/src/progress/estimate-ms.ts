import type { RunTimeHistogram } from './run-time-histogram';

export interface EstimateFacts {
  /** The run times of jobs like this one. */
  runTimes: RunTimeHistogram;
  /** The mean run time of all jobs of the model. */
  modelMeanMs: number;
  /** How many jobs of the model are processing now. */
  processing: number;
  /** The same as a mean over the last minute. */
  parallel: number;
  /** How many jobs are served before this one; null where it is not queued. */
  ahead: number | null;
  /** How long it has been processing. */
  elapsedMs: number;
}

/** The remaining part of a job that already runs longer than every measured one. */
const OVERTIME_PART = 0.25;

/**
 * The time until the end of a job: its own median run time, or what is left of it, and before it the time in the queue. By
 * Little's law the queue moves one place in the mean run time divided by the number of jobs that are processing; the head of
 * the queue waits half of that on average.
 */
export function estimateMs({ runTimes, modelMeanMs, processing, parallel, ahead, elapsedMs }: EstimateFacts): number {
  if (ahead === null) return (runTimes.medianMs(elapsedMs) ?? elapsedMs * (1 + OVERTIME_PART)) - elapsedMs;
  const runMs = runTimes.medianMs() ?? 0;
  if (ahead === 0 && processing === 0) return runMs;
  return ((ahead + 0.5) * modelMeanMs) / Math.max(parallel, 1) + runMs;
}
