import type { Histogram, Observations } from '@kinora/metrics';
import { handlerDuration, requestDuration, requestsPerMessage } from './bus.metrics';
import type { CallMeter } from './call-meter';
import type { CallOutcome } from './call-outcome';

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
