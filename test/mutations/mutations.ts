// Plants bugs, and runs the specs that must fail: `npm run test:mutations`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { ROOT } from '../../deploy/build/source-files';
import { startTestServers } from '../support/test-servers';
import { type PlantedBug, plantedBugs, whyNotPlanted } from './planted-bug';
import { runSpecs } from './run-specs';
import { ThrowawayCopy } from './throwaway-copy';

/** A spec may start servers of its own beside the shared ones. */
const MOST_COPIES = 4;

type Outcome = 'caught' | 'survived' | 'error';

/** Those of patches/ in throwaway copies of the tree, by their names, or those of StrykerJS, by its options; both without a word. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const isOfStryker = args[0]?.startsWith('-');
  const servers = await startTestServers();
  // The global setup of each jest run finds these servers and starts none.
  process.env.KINORA_TEST_DATABASE_URL = servers.databaseUrl;
  process.env.KINORA_TEST_NATS_URL = servers.natsUrl;
  try {
    if (!isOfStryker) await runPatches(args);
    if (isOfStryker || args.length === 0) await runStryker(args);
  } finally {
    await servers.stop();
  }
}

async function runStryker(options: string[]): Promise<void> {
  const args = ['run', 'test/mutations/stryker.config.mjs', ...options];
  const stryker = spawn('node_modules/.bin/stryker', args, { cwd: ROOT, stdio: 'inherit' });
  const [exitCode] = (await once(stryker, 'close')) as [number | null];
  if (exitCode !== 0) process.exitCode = 1;
}

async function runPatches(names: string[]): Promise<void> {
  const bugs = plantedBugs().filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
  if (bugs.length === 0) return fail(`There is no planted bug named ${names.join(' or ')}.`);
  const stale = (await Promise.all(bugs.map(whyNotPlanted))).filter((problem) => problem !== null);
  if (stale.length > 0) return fail(stale.join('\n'));
  const copies: ThrowawayCopy[] = [];
  try {
    const count = Math.min(MOST_COPIES, availableParallelism(), bugs.length);
    for (let index = 0; index < count; index++) copies.push(await ThrowawayCopy.make());
    await assertGreen(bugs, copies);
    printSummary(await plantAll(bugs, copies));
  } finally {
    await Promise.all(copies.map((copy) => copy.remove()));
  }
}

/** A spec that fails without a bug cannot show that it catches one. */
async function assertGreen(bugs: PlantedBug[], [copy, ...others]: ThrowawayCopy[]): Promise<void> {
  const specs = [...new Set(bugs.flatMap((bug) => bug.specs))];
  console.log(`Running ${specs.length} specs without any bug.`);
  const { failed, notRun, output } = await runSpecs((copy as ThrowawayCopy).folder, specs, 1 + others.length);
  if (failed.length + notRun.length === 0) return;
  throw new Error(`${output}\nThese specs fail without any bug: ${[...failed, ...notRun].join(', ')}.`);
}

async function plantAll(bugs: PlantedBug[], copies: ThrowawayCopy[]): Promise<Outcome[]> {
  const queue = [...bugs];
  const outcomes: Outcome[] = [];
  const work = async (copy: ThrowawayCopy): Promise<void> => {
    for (let bug = queue.shift(); bug; bug = queue.shift()) outcomes.push(await plant(bug, copy));
  };
  await Promise.all(copies.map(work));
  return outcomes;
}

/** Every spec that the patch names must fail. */
async function plant(bug: PlantedBug, copy: ThrowawayCopy): Promise<Outcome> {
  const startedAt = performance.now();
  const { failed, notRun, output } = await copy.withBug(bug, () => runSpecs(copy.folder, bug.specs, 1));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const outcome = notRun.length > 0 ? 'error' : failed.length === bug.specs.length ? 'caught' : 'survived';
  console.log(`${outcome.padEnd(9)}${seconds.padStart(6)} s  ${bug.name}`);
  if (outcome === 'survived') {
    const green = bug.specs.filter((spec) => !failed.includes(spec));
    console.log(`  ${bug.title}\n  Green all the same: ${green.join(', ')}`);
  }
  if (outcome === 'error')
    console.log(`  Did not run: ${notRun.join(', ')}\n${output.trimEnd().replaceAll(/^/gm, '  ')}`);
  return outcome;
}

function printSummary(outcomes: Outcome[]): void {
  const count = (wanted: Outcome): number => outcomes.filter((outcome) => outcome === wanted).length;
  const errors = count('error');
  const suffix = errors === 0 ? '' : `, ${errors} could not be judged`;
  console.log(`${count('caught')} caught, ${count('survived')} survived${suffix}`);
  process.exitCode = count('caught') === outcomes.length ? 0 : 1;
}

function fail(problem: string): void {
  console.error(problem);
  process.exitCode = 1;
}

main().catch((error: unknown) => fail((error as Error).message));
