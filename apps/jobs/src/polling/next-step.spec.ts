import type { AttemptRow, AttemptState } from '../attempt/attempt.row';
import { nextStep } from './next-step';

const HOUR_MS = 3_600_000;
const OWN = { hosting: 'own', resultTtlMs: null } as const;
const PAID = { hosting: 'paid', resultTtlMs: HOUR_MS } as const;

function attempt(state: AttemptState, ageMs = 1_000): AttemptRow {
  const claim = { job_id: 'job', number: 1, fence: 1 };
  const task = { upstream_id: 'job-1', upstream_ref: null, spooled: null, parked: false, traceparent: null };
  return { ...claim, ...task, provider: 'gpu', state, age_ms: ageMs };
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
