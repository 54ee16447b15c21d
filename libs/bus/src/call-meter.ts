import type { CallOutcome } from './call-outcome';

/** Observes the requests that a process sends. Short-lived programs pass none, and so load no metrics library. */
export interface CallMeter {
  answered(subject: string, outcome: CallOutcome, seconds: number): void;
  /** Reports the number of requests that left in one message. */
  sent(subject: string, requests: number): void;
}

export const UNMETERED: CallMeter = { answered: () => undefined, sent: () => undefined };
