import type { AttemptClaim } from '../attempt/attempt.row';

/** Where gateways store the images of requests. */
export const INPUTS_FOLDER = 'inputs';
export const OUTPUTS_FOLDER = 'outputs';
/** Where raw outputs from the answer to a submission wait for their collection. */
export const SPOOL_FOLDER = 'spooled';

const KEY_OF_JOB = /^(?:outputs|spooled)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[/-]/;

/** The folder with all outputs of a job, and nothing else. */
export function outputFolderOf(jobId: string): string {
  return `${OUTPUTS_FOLDER}/${jobId}`;
}

/** The name contains the fencing token: a process that loses the race for the job deletes only its own files. */
export function outputKeyOf({ job_id, number, fence }: AttemptClaim, index: number, extension: string): string {
  return `${outputFolderOf(job_id)}/${job_id}-${number}-${fence}-${index}.${extension}`;
}

/** Null for a key that belongs to no job. */
export function jobIdOfOutput(key: string): string | null {
  return KEY_OF_JOB.exec(key)?.[1] ?? null;
}
