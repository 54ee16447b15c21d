import type { CancelResult } from '../../attempt/attempt.row';
import { type CancelTry, cancelResult } from './cancel-attempts.use-case';

const FIRST: CancelTry = { outcome: 'canceled', tries: 1, answer: 'stopped', status: { state: 'unreachable' } };

describe('a try to cancel', () => {
  it.each<[string, Partial<CancelTry>, Partial<CancelResult> | null]>([
    [
      'ends when the backend has stopped, with the GPU time that it reports',
      { status: { state: 'canceled', gpuMs: 700 } },
      { outcome: 'stopped', gpuMs: 700 },
    ],
    ['continues when the backend does not know the task', { status: { state: 'not_found' } }, null],
    ['continues after a second such answer', { tries: 2, status: { state: 'not_found' } }, null],
    ['ends after a third one', { tries: 3, status: { state: 'not_found' } }, { outcome: 'stopped', gpuMs: null }],
    [
      'ends as too late after a success',
      { answer: 'too_late', status: { state: 'succeeded', outputs: [], gpuMs: 900 } },
      { outcome: 'too_late', gpuMs: 900 },
    ],
    ['continues while the task runs, even if the backend reports a stop', { status: { state: 'running' } }, null],
    [
      'ends at the limit while it runs',
      { tries: 12, status: { state: 'running' } },
      { outcome: 'gave_up', gpuMs: null },
    ],
    ['continues while the backend does not answer', { answer: 'unknown' }, null],
    ['ends at the limit without an answer', { answer: 'unknown', tries: 12 }, { outcome: 'gave_up' }],
  ])('%s', (_, parts, result) => {
    const received = cancelResult({ ...FIRST, ...parts });
    if (result) expect(received).toMatchObject(result);
    else expect(received).toBeNull();
  });
});
