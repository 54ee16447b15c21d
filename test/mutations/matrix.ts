import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '../../deploy/build/source-files';
import { plantedBugs } from './planted-bug';

/** From the fastest to the slowest; each runs all that the former one runs. */
const RUNS = { 'npm test': [], ci: ['ci'], nightly: ['all'] };

/**
 * Prints for each planted bug the first run that catches it, the suite and the specs that must fail, and the share that each run catches.
 * It runs no spec: that the named specs fail is what a run without `--matrix` shows.
 */
export async function printMatrix(): Promise<void> {
  const bugs = plantedBugs();
  const catching = new Map<string, string>();
  for (const [run, suites] of Object.entries(RUNS)) {
    const suiteOf = await suitesOfSpecs(suites);
    for (const { name, specs } of bugs) {
      const spec = specs.find((path) => suiteOf.has(path));
      if (spec === undefined || catching.has(name)) continue;
      catching.set(name, run);
      console.log([run.padEnd(8), (suiteOf.get(spec) ?? '').padEnd(10), name.padEnd(64), specs.join(' ')].join('  '));
    }
    const share = ((100 * catching.size) / bugs.length).toFixed(0);
    console.log(`${run} catches ${catching.size} of ${bugs.length} planted bugs: ${share} %`);
  }
}

async function suitesOfSpecs(suites: string[]): Promise<Map<string, string>> {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/run.mjs', ...suites, '--list'], { cwd: ROOT });
  const lines = stdout.trim().split('\n');
  return new Map(lines.map((line) => line.split(' ').reverse() as [string, string]));
}
