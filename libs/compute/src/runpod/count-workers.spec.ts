import { countWorkers } from './runpod-job';

describe('the workers of an endpoint', () => {
  it.each([
    [{ workers: { idle: 1, running: 2 } }, 3],
    [{ workers: { idle: 0, initializing: 1, ready: 4, running: 2, throttled: 3, unhealthy: 1 } }, 3],
    [{ workers: { idle: 0, running: 0 } }, 0],
    [{ workers: { idle: -1, running: 'two' } }, 0],
    [{ workers: {} }, null],
    [{ jobs: {} }, null],
    ['hello', null],
  ])('of %j are %s', (answer, count) => {
    expect(countWorkers(answer)).toBe(count);
  });
});
