import { execFileSync } from 'node:child_process';

/** Prints the size of a program's young generation, before and after it is allowed to grow. */
const PROGRAM = `
  const { getHeapSpaceStatistics } = require('node:v8');
  const { setFlagsForWork } = require('./libs/service-kit/src/v8-flags');
  const kept = [];
  function megabytesAfterLoading() {
    for (let index = 0; index < 1_000_000; index++) kept.push({ index });
    return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20;
  }
  const before = megabytesAfterLoading();
  setFlagsForWork();
  console.log(JSON.stringify([before, megabytesAfterLoading()]));
`;

/** Prints whether a function that is called some thousand times is optimized, before and after the start. */
const HOT_PROGRAM = `
  const { setFlagsForWork } = require('./libs/service-kit/src/v8-flags');
  const OPTIMIZED = 1 << 4;
  const sum = (one, other) => one + other;
  const isOptimized = () => (%GetOptimizationStatus(sum) & OPTIMIZED) !== 0;
  function callUntilOptimized(times) {
    for (let call = 0; call < times && !isOptimized(); call++) sum(call, 1);
    return isOptimized();
  }
  // Optimized itself, it would contain the sum.
  %NeverOptimizeFunction(callUntilOptimized);
  const before = callUntilOptimized(30_000);
  setFlagsForWork();
  console.log(JSON.stringify([before, callUntilOptimized(5_000_000)]));
`;

function run<Result>(program: string): Result {
  const preloads = ['-r', './test/typescript.cjs', '-r', './libs/service-kit/src/before-program.ts'];
  const args = ['--allow-natives-syntax', ...preloads, '-e', program];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Result;
}

describe('while a program starts', () => {
  it('its young generation stays small, and grows under load', () => {
    const [starting, working] = run<[number, number]>(PROGRAM);
    expect(starting).toBeLessThanOrEqual(4);
    expect(working).toBeGreaterThan(8);
  });

  it('V8 optimizes what is called very often alone, and early under load', () => {
    expect(run(HOT_PROGRAM)).toEqual([false, true]);
  });
});
