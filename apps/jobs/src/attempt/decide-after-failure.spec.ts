import type { FailureKind } from '@kinora/compute';
import { type AttemptPast, type AttemptFailure, decideAfterFailure } from './decide-after-failure';

const NOTHING_YET: AttemptPast = { lost: 0, interrupted: 0, failed_at: [] };

function decide(failure: AttemptFailure, past: Partial<AttemptPast> = {}, hasOtherInstance = false) {
  return decideAfterFailure(failure, { ...NOTHING_YET, ...past }, { number: 1, hasOtherInstance });
}

function failed(kind: FailureKind): AttemptFailure {
  return { kind: 'failed', providerFailure: { kind, reason: 'test failure' }, gpuMs: null };
}

describe('the decision after a failed attempt', () => {
  it('ends the job, with a code of Job.error, when every instance would fail', () => {
    expect(decide(failed('invalid_input'), {}, true)).toMatchObject({ kind: 'over', errorCode: 'provider_error' });
    expect(decide(failed('fatal'), {}, true)).toMatchObject({ kind: 'over', errorCode: 'provider_error' });
    expect(decide(failed('timeout'), {}, true)).toMatchObject({ kind: 'over', errorCode: 'provider_timeout' });
    expect(decide({ kind: 'canceled', gpuMs: 5 }, {}, true)).toMatchObject({
      kind: 'over',
      errorCode: 'provider_error',
    });
  });

  it('tries no other instance when the content filter of a backend blocks the job', () => {
    expect(decide(failed('content_rejected'), {}, true)).toMatchObject({
      kind: 'over',
      errorCode: 'content_blocked_output',
    });
  });

  it('tries one other instance after a failure that may be specific to this one', () => {
    expect(decide(failed('transient'), {}, true)).toMatchObject({ kind: 'again', outcome: 'failed', delayMs: 0 });
    expect(decide(failed('transient'), {}, false)).toMatchObject({ kind: 'over', errorCode: 'provider_error' });
    expect(decide(failed('transient'), { failed_at: ['gpu-a'] }, true)).toMatchObject({ kind: 'over' });
  });

  it('requeues the job when there is no room, after the delay that the backend requests', () => {
    expect(decide(failed('capacity'))).toMatchObject({ kind: 'again', outcome: 'refused', problem: 'capacity' });
    const { delayMs } = decide({ kind: 'refused', retryAfterMs: 7_000 }) as { delayMs: number };
    expect(delayMs).toBeGreaterThanOrEqual(7_250);
    expect(delayMs).toBeLessThanOrEqual(7_500);
  });

  it('submits again once what an own backend has lost, and never what a paid one has lost', () => {
    expect(decide({ kind: 'lost', hosting: 'own' })).toMatchObject({ kind: 'again', outcome: 'lost' });
    expect(decide({ kind: 'lost', hosting: 'own' }, { lost: 1 })).toMatchObject({ kind: 'over' });
    expect(decide({ kind: 'lost', hosting: 'paid' })).toMatchObject({ kind: 'over', errorCode: 'provider_error' });
  });

  it('limits the tries of a job that crashes each process that handles it', () => {
    expect(decide({ kind: 'interrupted' }, { interrupted: 3 })).toMatchObject({
      kind: 'again',
      outcome: 'interrupted',
    });
    expect(decide({ kind: 'interrupted' }, { interrupted: 4 })).toMatchObject({ kind: 'over' });
  });
});
