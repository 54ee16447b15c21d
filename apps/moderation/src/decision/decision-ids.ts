import { firstIdOf, timeOfId } from '@kinora/database';

const DAY_MS = 24 * 60 * 60_000;
/** Clocks of processes differ, but never by as much. */
const BEFORE_DAYS = 1;
/** A job ends within hours of its creation, and its outputs are judged before its end. */
const AFTER_DAYS = 31;

/** Between these ids lie the decisions about a job, so that a statement reads the partitions of that time only. */
export function decisionIdsOf(jobId: string): [first: string, last: string] {
  const createdMs = timeOfId(jobId).getTime();
  return [firstIdOf(new Date(createdMs - BEFORE_DAYS * DAY_MS)), firstIdOf(new Date(createdMs + AFTER_DAYS * DAY_MS))];
}
