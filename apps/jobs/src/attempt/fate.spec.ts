import type { FailureKind } from '@kinora/compute';
import { type AttemptPast, type Mishap, fateOf } from './fate';

const NOTHING_YET: AttemptPast = { lost: 0, interrupted: 0, failed_at: [] };

function fate(mishap: Mishap, past: Partial<AttemptPast> = {}, hasOtherInstance = false) {
  return fateOf(mishap, { ...NOTHING_YET, ...past }, { number: 1, hasOtherInstance });
}

function failed(kind: FailureKind): Mishap {
  return { kind: 'failed', failure: { kind, reason: 'as the spec says' }, gpuMs: null };
}

describe('what follows when an attempt has come to nothing', () => {
  it('is an end for what would fail anywhere, in the words of Job.error', () => {
    expect(fate(failed('invalid_input'), {}, true)).toMatchObject({ kind: 'over', errorCode: 'provider_error' });
    expect(fate(failed('fatal'), {}, true)).toMatchObject({ kind: 'over', errorCode: 'provider_error' });
    expect(fate(failed('timeout'), {}, true)).toMatchObject({ kind: 'over', errorCode: 'provider_timeout' });
    expect(fate({ kind: 'canceled', gpuMs: 5 }, {}, true)).toMatchObject({ kind: 'over', errorCode: 'provider_error' });
  });

  it('is no other instance for what a backend would not make', () => {
    expect(fate(failed('content_rejected'), {}, true)).toMatchObject({
      kind: 'over',
      errorCode: 'content_blocked_output',
    });
  });

  it('is one try at another instance for what may be of this one', () => {
    expect(fate(failed('transient'), {}, true)).toMatchObject({ kind: 'again', outcome: 'failed', delayMs: 0 });
    expect(fate(failed('transient'), {}, false)).toMatchObject({ kind: 'over', errorCode: 'provider_error' });
    expect(fate(failed('transient'), { failed_at: ['gpu-a'] }, true)).toMatchObject({ kind: 'over' });
  });

  it('is the line again for want of room, after as long as the backend asks', () => {
    expect(fate(failed('capacity'))).toMatchObject({ kind: 'again', outcome: 'refused', problem: 'capacity' });
    const { delayMs } = fate({ kind: 'refused', retryAfterMs: 7_000 }) as { delayMs: number };
    expect(delayMs).toBeGreaterThanOrEqual(7_250);
    expect(delayMs).toBeLessThanOrEqual(7_500);
  });

  it('is one more submission of what an own backend has lost, and none of what a paid one has', () => {
    expect(fate({ kind: 'lost', hosting: 'own' })).toMatchObject({ kind: 'again', outcome: 'lost' });
    expect(fate({ kind: 'lost', hosting: 'own' }, { lost: 1 })).toMatchObject({ kind: 'over' });
    expect(fate({ kind: 'lost', hosting: 'paid' })).toMatchObject({ kind: 'over', errorCode: 'provider_error' });
  });

  it('has a bound for a job that ends each process that touches it', () => {
    expect(fate({ kind: 'interrupted' }, { interrupted: 3 })).toMatchObject({ kind: 'again', outcome: 'interrupted' });
    expect(fate({ kind: 'interrupted' }, { interrupted: 4 })).toMatchObject({ kind: 'over' });
  });
});
