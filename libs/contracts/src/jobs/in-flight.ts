import type { JobStatus } from './job';

/** (decisions: Job states) */
const IN_FLIGHT: readonly JobStatus[] = ['queued', 'processing'];

/** Whether a job has not ended yet: its status, price and outputs may still change. */
export function isInFlight(status: JobStatus): boolean {
  return IN_FLIGHT.includes(status);
}
