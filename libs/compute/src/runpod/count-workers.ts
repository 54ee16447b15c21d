import { isRecord } from '../http/json-answer';

/** Those that have stopped for good, or that RunPod keeps from starting, are not among them. */
const AT_WORK_SOON = ['idle', 'running', 'initializing'];

/** The workers that the answer of `GET /health` counts; null where it counts none in words that we know. */
export function countWorkers(answer: unknown): number | null {
  const workers = isRecord(answer) && isRecord(answer['workers']) ? answer['workers'] : null;
  const counts = AT_WORK_SOON.map((word) => workers?.[word]).filter((count) => Number.isSafeInteger(count));
  return counts.length === 0 ? null : counts.reduce<number>((sum, count) => sum + Math.max(0, Number(count)), 0);
}
