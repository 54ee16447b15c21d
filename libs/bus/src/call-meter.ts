import type { CallOutcome } from './call-outcome';

/** Told of what a process asks others. Programs that run for a moment are measured by nobody, and load nothing for it. */
export interface CallMeter {
  answered(subject: string, outcome: CallOutcome, seconds: number): void;
  /** So many requests have left in one message. */
  sent(subject: string, requests: number): void;
}

export const UNMETERED: CallMeter = { answered: () => undefined, sent: () => undefined };
