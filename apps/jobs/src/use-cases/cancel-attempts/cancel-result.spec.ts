import { type CancelTry, cancelResult } from './cancel-result';

function tried(parts: Partial<CancelTry>): CancelTry {
  return { outcome: 'canceled', tries: 1, answer: 'stopped', status: { state: 'unreachable' }, ...parts };
}

describe('a try to cancel', () => {
  it('is over when the backend has stopped, with the GPU time that it tells', () => {
    expect(cancelResult(tried({ status: { state: 'canceled', gpuMs: 700 } }))).toEqual({
      outcome: 'stopped',
      gpuMs: 700,
    });
  });

  it('is over when the backend knows nothing of the task, and goes on to know nothing', () => {
    const status = { state: 'not_found' } as const;
    expect([1, 2].map((tries) => cancelResult(tried({ tries, status })))).toEqual([null, null]);
    expect(cancelResult(tried({ tries: 3, status }))).toEqual({ outcome: 'stopped', gpuMs: null });
  });

  it('is over as too late when a success has come, which nobody fetches', () => {
    const status = { state: 'succeeded', outputs: [], gpuMs: 900 } as const;
    expect(cancelResult(tried({ answer: 'too_late', status: { ...status, outputs: [] } }))).toEqual({
      outcome: 'too_late',
      gpuMs: 900,
    });
  });

  it('goes on while the GPU works, also where the backend says that it has stopped', () => {
    expect(cancelResult(tried({ status: { state: 'running' } }))).toBeNull();
    expect(cancelResult(tried({ tries: 12, status: { state: 'running' } }))).toEqual({
      outcome: 'gave_up',
      gpuMs: null,
    });
  });

  it('goes on while the backend does not answer, but not for ever', () => {
    expect(cancelResult(tried({ answer: 'unknown' }))).toBeNull();
    expect(cancelResult(tried({ answer: 'unknown', tries: 12 }))).toMatchObject({ outcome: 'gave_up' });
  });
});
