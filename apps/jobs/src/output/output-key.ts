import type { AttemptClaim } from '../attempt/attempt.row';

/** Where gateways put the images of requests. */
export const INPUTS_FOLDER = 'inputs';
export const OUTPUTS_FOLDER = 'outputs';
/** Where raw outputs wait that came with the answer to a submission. */
export const SPOOL_FOLDER = 'spooled';

const KEY_OF_JOB = /^(?:outputs|spooled)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[/-]/;

/** All outputs of a job, and nothing else. */
export function outputFolderOf(jobId: string): string {
  return `${OUTPUTS_FOLDER}/${jobId}`;
}

/** The claim is part of the name: whoever loses the race for the job deletes its own files and no one else's. */
export function outputKeyOf({ job_id, number, fence }: AttemptClaim, index: number, extension: string): string {
  return `${outputFolderOf(job_id)}/${job_id}-${number}-${fence}-${index}.${extension}`;
}

/** Null for what no job can have made. */
export function jobIdOfOutput(key: string): string | null {
  return KEY_OF_JOB.exec(key)?.[1] ?? null;
}
