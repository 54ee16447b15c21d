import { execFileSync } from 'node:child_process';

/** Prints the size of a program's young generation, before and after it is allowed to grow. */
const PROGRAM = `
  const { getHeapSpaceStatistics } = require('node:v8');
  const { letYoungGenerationGrow } = require('./libs/service-kit/src/young-generation');
  const kept = [];
  function megabytesAfterLoading() {
    for (let index = 0; index < 1_000_000; index++) kept.push({ index });
    return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20;
  }
  const before = megabytesAfterLoading();
  letYoungGenerationGrow();
  console.log(JSON.stringify([before, megabytesAfterLoading()]));
`;

describe('young generation', () => {
  it('stays small while a program starts, and grows under load', () => {
    const preloads = ['-r', './test/typescript.cjs', '-r', './libs/service-kit/src/before-program.ts'];
    const printed = execFileSync(process.execPath, [...preloads, '-e', PROGRAM], { encoding: 'utf8' });
    const [starting = Infinity, working = 0] = JSON.parse(printed) as number[];
    expect(starting).toBeLessThanOrEqual(4);
    expect(working).toBeGreaterThan(8);
  });
});
