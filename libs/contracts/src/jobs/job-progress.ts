import type { Count, Timestamp, Uuid } from '../shared/scalars';
import type { JobStatus } from './job';

/** Where a job stands. */
export interface JobProgress {
  object: 'job.progress';
  job_id: Uuid;
  status: JobStatus;
  /**
   * 0 to 1, as the compute backend reports it; never falls. Null where the backend reports nothing.
   * @minimum 0
   * @maximum 1
   */
  progress: number | null;
  /**
   * While `queued`: how many jobs the fair queue serves before this one, 0 for the next; null otherwise. Beyond 500 it is rounded
   * down to hundreds.
   */
  queue_position: Count | null;
  /** Estimated seconds until the end, from the run times of the last hour; null where there are none, and after the end. */
  eta_seconds: number | null;
  /** When `status` or `progress` last changed. */
  updated_at: Timestamp;
}
