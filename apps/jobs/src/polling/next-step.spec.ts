import type { AttemptRow, AttemptState } from '../attempt/attempt.row';
import { nextStep } from './next-step';

const HOUR_MS = 3_600_000;
const OWN = { hosting: 'own', resultTtlMs: null } as const;
const PAID = { hosting: 'paid', resultTtlMs: HOUR_MS } as const;

function attempt(state: AttemptState, ageMs = 1_000): AttemptRow {
  const claim = { job_id: 'job', number: 1, fence: 1 };
  const task = { upstream_id: 'job-1', upstream_ref: null, spooled: null, parked: false, traceparent: null };
  const reported = { progress: null, queued_ahead: null };
  return { ...claim, ...task, ...reported, provider: 'gpu', state, age_ms: ageMs };
}

describe('a poll of a provider', () => {
  it('writes nothing if the state is unchanged', () => {
    expect(nextStep(attempt('running'), { state: 'running' }, OWN)).toEqual({ kind: 'nothing_new' });
    expect(nextStep(attempt('accepted'), { state: 'unreachable' }, OWN)).toEqual({ kind: 'nothing_new' });
  });

  it('records that a backend has parked a task, and that it works on it again', () => {
    const parked = { state: 'running', isParked: true } as const;
    expect(nextStep(attempt('running'), parked, OWN)).toMatchObject({ progress: { state: 'running', parked: true } });
    expect(nextStep({ ...attempt('running'), parked: true }, parked, OWN)).toEqual({ kind: 'nothing_new' });
    const again = nextStep({ ...attempt('running'), parked: true }, { state: 'running' }, OWN);
    expect(again).toMatchObject({ progress: { state: 'running', parked: false } });
  });

  it('records progress that has risen by a percent, and never a fall', () => {
    const at = (known: number | null, progress: number) =>
      nextStep({ ...attempt('running'), progress: known }, { state: 'running', progress }, OWN);
    expect(at(null, 0)).toMatchObject({ progress: { state: 'running', progress: 0 } });
    expect(at(0.28, 0.299)).toMatchObject({ progress: { progress: 0.29 } });
    expect(at(0.29, 0.299)).toEqual({ kind: 'nothing_new' });
    expect(at(0.5, 0.2)).toEqual({ kind: 'nothing_new' });
    expect(at(0.5, 7)).toMatchObject({ progress: { progress: 1 } });
    expect(at(0.5, Number.NaN)).toEqual({ kind: 'nothing_new' });
  });

  it('records the place in the queue of the backend, and forgets it when the task begins', () => {
    const queued = nextStep(attempt('accepted'), { state: 'queued', queuedAhead: 3 }, OWN);
    expect(queued).toMatchObject({ progress: { state: 'accepted', queued_ahead: 3 } });
    const waiting = { ...attempt('accepted'), queued_ahead: 3 };
    expect(nextStep(waiting, { state: 'queued', queuedAhead: 3 }, OWN)).toEqual({ kind: 'nothing_new' });
    expect(nextStep(waiting, { state: 'running' }, OWN)).toMatchObject({ progress: { queued_ahead: null } });
  });

  it('sets a submission to unknown if the backend is unreachable', () => {
    for (const state of ['submitting', 'answering'] as const)
      expect(nextStep(attempt(state), { state: 'unreachable' }, OWN)).toMatchObject({ progress: { state: 'unknown' } });
  });

  it('counts a task as lost if an own backend does not know it', () => {
    const notFound = { state: 'not_found' } as const;
    expect(nextStep(attempt('running'), notFound, OWN)).toMatchObject({ failure: { kind: 'lost', hosting: 'own' } });
    expect(nextStep(attempt('answering'), notFound, OWN)).toMatchObject({ failure: { kind: 'lost' } });
    expect(nextStep(attempt('submitting'), notFound, OWN)).toMatchObject({ failure: { kind: 'interrupted' } });
  });

  it('counts a task as lost at a paid backend only after its results are deleted', () => {
    const notFound = { state: 'not_found' } as const;
    for (const state of ['submitting', 'accepted', 'running'] as const)
      expect(nextStep(attempt(state), notFound, PAID)).toMatchObject({ progress: { state: 'unknown' } });
    expect(nextStep(attempt('unknown'), notFound, PAID)).toEqual({ kind: 'nothing_new' });
    expect(nextStep(attempt('unknown', HOUR_MS + 1), notFound, PAID)).toMatchObject({
      failure: { kind: 'lost', hosting: 'paid' },
    });
    const endless = { hosting: 'paid', resultTtlMs: null } as const;
    expect(nextStep(attempt('unknown', 100 * HOUR_MS), notFound, endless)).toEqual({ kind: 'nothing_new' });
  });
});
