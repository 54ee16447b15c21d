/**
 * Every step at which a crash could lose or repeat work: between a claimed key and a created job, and between a job's end and
 * its settled money. Each point is in the code once, and test/faults kills a process at each. A crash between a request and its
 * answer leaves the state of a neighbouring point: nothing yet, or all of it.
 */
export const CRASH_POINTS = [
  'jobs.accept.key_claimed',
  'jobs.accept.inputs_screened',
  'jobs.accept.hold_reserved',
  'jobs.accept.before_commit',
  'jobs.accept.committed',
  'jobs.accept.before_answer',
  'jobs.run.attempt_written',
  'jobs.run.submit_answered',
  'jobs.run.submit_recorded',
  'jobs.end.output_signed',
  'jobs.end.outputs_stored',
  'jobs.end.outputs_screened',
  'jobs.end.before_commit',
  'jobs.end.committed',
  'jobs.end.hold_ended',
  'jobs.end.settled',
  'jobs.cancel.answered',
  'outbox.before_publish',
  'outbox.published',
  'outbox.removed',
  'billing.reserve.before_commit',
  'billing.reserve.committed',
  'billing.capture.before_commit',
  'billing.capture.committed',
  'billing.refund.before_commit',
  'billing.refund.committed',
] as const;

export type CrashPoint = (typeof CRASH_POINTS)[number];
