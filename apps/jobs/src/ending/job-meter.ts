import { jobDuration, jobGpu, jobStart, jobsEnded } from '../jobs.metrics';
import type { JobRow } from '../job/job.row';

/** Tells Prometheus of a job that has just ended. */
export function meterEnd({ model, status, error_code, created_at, started_at, completed_at, gpu_ms }: JobRow): void {
  jobsEnded.inc({ model, status, error: error_code ?? 'none' });
  if (completed_at === null) return;
  const secondsUntil = (moment: Date): number => (moment.getTime() - created_at.getTime()) / 1_000;
  jobDuration.of({ model, status }).observe(secondsUntil(completed_at));
  // A client that cancels a job before it starts has not been kept waiting by anybody.
  const waitedUntil = started_at ?? (status === 'canceled' ? null : completed_at);
  if (waitedUntil) jobStart.of({ model }).observe(secondsUntil(waitedUntil));
  if (gpu_ms !== null) jobGpu.inc({ model }, gpu_ms / 1_000);
}
