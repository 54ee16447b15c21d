import { isRecord } from '../http/json-answer';

/** Excludes workers that have stopped for good, or that RunPod does not start. */
const AT_WORK_SOON = ['idle', 'running', 'initializing'];

/** The number of workers in the answer of `GET /health`; null for an unknown format. */
export function countWorkers(answer: unknown): number | null {
  const workers = isRecord(answer) && isRecord(answer['workers']) ? answer['workers'] : null;
  const counts = AT_WORK_SOON.map((word) => workers?.[word]).filter((count) => Number.isSafeInteger(count));
  return counts.length === 0 ? null : counts.reduce<number>((sum, count) => sum + Math.max(0, Number(count)), 0);
}
