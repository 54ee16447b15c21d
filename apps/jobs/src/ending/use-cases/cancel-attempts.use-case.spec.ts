import { type CancelTry, cancelResult } from './cancel-attempts.use-case';

function tried(parts: Partial<CancelTry>): CancelTry {
  return { outcome: 'canceled', tries: 1, answer: 'stopped', status: { state: 'unreachable' }, ...parts };
}

describe('a try to cancel', () => {
  it('ends when the backend has stopped, with the GPU time that it reports', () => {
    expect(cancelResult(tried({ status: { state: 'canceled', gpuMs: 700 } }))).toEqual({
      outcome: 'stopped',
      gpuMs: 700,
    });
  });

  it('ends when the backend does not know the task in several tries', () => {
    const status = { state: 'not_found' } as const;
    expect([1, 2].map((tries) => cancelResult(tried({ tries, status })))).toEqual([null, null]);
    expect(cancelResult(tried({ tries: 3, status }))).toEqual({ outcome: 'stopped', gpuMs: null });
  });

  it('ends as too late after a success', () => {
    const status = { state: 'succeeded', outputs: [], gpuMs: 900 } as const;
    expect(cancelResult(tried({ answer: 'too_late', status: { ...status, outputs: [] } }))).toEqual({
      outcome: 'too_late',
      gpuMs: 900,
    });
  });

  it('continues while the task runs, even if the backend reports that it has stopped', () => {
    expect(cancelResult(tried({ status: { state: 'running' } }))).toBeNull();
    expect(cancelResult(tried({ tries: 12, status: { state: 'running' } }))).toEqual({
      outcome: 'gave_up',
      gpuMs: null,
    });
  });

  it('continues while the backend does not answer, up to a limit', () => {
    expect(cancelResult(tried({ answer: 'unknown' }))).toBeNull();
    expect(cancelResult(tried({ answer: 'unknown', tries: 12 }))).toMatchObject({ outcome: 'gave_up' });
  });
});
