import { ApiError, type ErrorCode, HTTP_STATUS_BY_TYPE, TYPE_BY_CODE } from '@kinora/contracts/shared/errors';
import type { Histogram, Observations } from '@kinora/metrics';
import { handlerDuration, requestDuration, requestsPerMessage } from './bus.metrics';

/** Outcome of a call: `refused` is an error caused by the caller, `failed` is one caused by the service. */
export const CALL_OUTCOMES = ['ok', 'refused', 'failed'] as const;

export type CallOutcome = (typeof CALL_OUTCOMES)[number];

export function outcomeOfCode(code: ErrorCode): CallOutcome {
  return HTTP_STATUS_BY_TYPE[TYPE_BY_CODE[code]] < 500 ? 'refused' : 'failed';
}

export function outcomeOfError(error: unknown): CallOutcome {
  return error instanceof ApiError ? outcomeOfCode(error.code) : 'failed';
}

/** Observes the requests that a process sends. Short-lived programs pass none, and so load no metrics library. */
export interface CallMeter {
  answered(subject: string, outcome: CallOutcome, seconds: number): void;
  /** Reports the number of requests that left in one message. */
  sent(subject: string, requests: number): void;
}

export const UNMETERED: CallMeter = { answered: () => undefined, sent: () => undefined };

type Times = Record<CallOutcome, Observations>;

/** Histograms of one subject by outcome, resolved once. */
class CallTimes {
  private readonly bySubject = new Map<string, Times>();

  constructor(private readonly histogram: Histogram<'subject' | 'outcome'>) {}

  of(subject: string): Times {
    const known = this.bySubject.get(subject) ?? this.open(subject);
    this.bySubject.set(subject, known);
    return known;
  }

  private open(subject: string): Times {
    const { histogram } = this;
    return {
      ok: histogram.of({ subject, outcome: 'ok' }),
      refused: histogram.of({ subject, outcome: 'refused' }),
      failed: histogram.of({ subject, outcome: 'failed' }),
    };
  }
}

const requestTimes = new CallTimes(requestDuration);
const handlerTimes = new CallTimes(handlerDuration);

/** Measures the requests that a service sends. */
export const BUS_METER: CallMeter = {
  answered: (subject, outcome, seconds) => requestTimes.of(subject)[outcome].observe(seconds),
  sent: (subject, requests) => requestsPerMessage.of({ subject }).observe(requests),
};

export function meterHandler(subject: string, outcome: CallOutcome, seconds: number): void {
  handlerTimes.of(subject)[outcome].observe(seconds);
}
