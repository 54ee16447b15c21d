import type { FailureKind } from '@kinora/compute';
import { type AttemptPast, type AttemptFailure, decideAfterFailure } from './decide-after-failure';

const NOTHING_YET: AttemptPast = { lost: 0, interrupted: 0, failed_at: [] };

function decide(failure: AttemptFailure, past: Partial<AttemptPast> = {}, hasOtherInstance = false) {
  return decideAfterFailure(failure, { ...NOTHING_YET, ...past }, { number: 1, hasOtherInstance });
}

function failed(kind: FailureKind): AttemptFailure {
  return { kind: 'failed', providerFailure: { kind, reason: 'as the spec says' }, gpuMs: null };
}

describe('what follows when an attempt has come to nothing', () => {
  it('is an end for what would fail anywhere, in the words of Job.error', () => {
    expect(decide(failed('invalid_input'), {}, true)).toMatchObject({ kind: 'over', errorCode: 'provider_error' });
    expect(decide(failed('fatal'), {}, true)).toMatchObject({ kind: 'over', errorCode: 'provider_error' });
    expect(decide(failed('timeout'), {}, true)).toMatchObject({ kind: 'over', errorCode: 'provider_timeout' });
    expect(decide({ kind: 'canceled', gpuMs: 5 }, {}, true)).toMatchObject({
      kind: 'over',
      errorCode: 'provider_error',
    });
  });

  it('is no other instance for what a backend would not make', () => {
    expect(decide(failed('content_rejected'), {}, true)).toMatchObject({
      kind: 'over',
      errorCode: 'content_blocked_output',
    });
  });

  it('is one try at another instance for what may be of this one', () => {
    expect(decide(failed('transient'), {}, true)).toMatchObject({ kind: 'again', outcome: 'failed', delayMs: 0 });
    expect(decide(failed('transient'), {}, false)).toMatchObject({ kind: 'over', errorCode: 'provider_error' });
    expect(decide(failed('transient'), { failed_at: ['gpu-a'] }, true)).toMatchObject({ kind: 'over' });
  });

  it('is the line again for want of room, after as long as the backend asks', () => {
    expect(decide(failed('capacity'))).toMatchObject({ kind: 'again', outcome: 'refused', problem: 'capacity' });
    const { delayMs } = decide({ kind: 'refused', retryAfterMs: 7_000 }) as { delayMs: number };
    expect(delayMs).toBeGreaterThanOrEqual(7_250);
    expect(delayMs).toBeLessThanOrEqual(7_500);
  });

  it('is one more submission of what an own backend has lost, and none of what a paid one has', () => {
    expect(decide({ kind: 'lost', hosting: 'own' })).toMatchObject({ kind: 'again', outcome: 'lost' });
    expect(decide({ kind: 'lost', hosting: 'own' }, { lost: 1 })).toMatchObject({ kind: 'over' });
    expect(decide({ kind: 'lost', hosting: 'paid' })).toMatchObject({ kind: 'over', errorCode: 'provider_error' });
  });

  it('has a bound for a job that ends each process that touches it', () => {
    expect(decide({ kind: 'interrupted' }, { interrupted: 3 })).toMatchObject({
      kind: 'again',
      outcome: 'interrupted',
    });
    expect(decide({ kind: 'interrupted' }, { interrupted: 4 })).toMatchObject({ kind: 'over' });
  });
});
