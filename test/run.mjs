// Builds, runs suites of specs, and ends with one line: `N passed, N failed`.
//   npm test                  the suites unit and smoke
//   npm test -- billing       a context with its libraries, or the specs whose path contains the word
//   npm test -- --changed     the specs that the changes since the branch left main can reach
//   node test/run.mjs SUITE…  the named suites: `ci` is what continuous integration runs, `all` is every one. `--record` writes
//                             test/timings.json anew; `--list` prints the suite and the path of each spec instead of running it.
// `ci` and `all` run the tests of the Python client beside the suites, where the machine has Python.
// A file that fails runs once more, alone. Where it passes then, the run is green and names the file as flaky.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { ROOT, chooseSuites } from './suites.mjs';

/** The time limit of a suite. On an idle machine a suite takes a fraction of it. */
const SUITE_TIMEOUT_MS = 35 * 60_000;
/** How long jest may run after its report. A spec that leaves a handle open keeps jest alive, which is a failure. */
const EXIT_TIMEOUT_MS = 5_000;
/** Files that took longer than this together are not repeated: the time of a broken tree would double. */
const LONGEST_REPETITION_S = 15 * 60;
/** Specs wait for servers a third of their time, so two cores need three files at once. A file with its stack holds 1.5 GB. */
const WORKERS = Math.max(2, Math.min(4, availableParallelism() + 1, Math.floor(totalmem() / 2 ** 31)));
/**
 * The clients of fault suites have the deadlines of real ones, which three stacks on two cores miss. Three workers leave a third of two
 * cores unused by the suite unit, whose files have no stack.
 */
const WORKERS_OF = { nightly: 1, faults: WORKERS - 1, unit: WORKERS + 1 };
/** Debian's, and where other distributions and Chrome's own packages put it. No package of npm holds a browser. */
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];
const TIMINGS = path.join(ROOT, 'test/timings.json');

const words = process.argv.slice(2).filter((word) => word !== '--record' && word !== '--list');
const suites = chooseSuites(words);
if (process.argv.includes('--list')) {
  for (const { name, files } of suites) for (const file of files) console.log(name, file);
  process.exit();
}
const reports = await mkdtemp(path.join(tmpdir(), 'kinora-report-'));
const total = { passed: 0, failed: 0 };
const failures = [];
const flakes = [];
const seconds = {};
if (suites.length === 0) console.log(`No spec matches ${words.join(' ')}.`);
if (suites.length === 0 || (await exitCodeOf(start({}, 'deploy/build/build.mjs'))) !== 0) total.failed += 1;
else await runSuites();
await rm(reports, { recursive: true, force: true });
if (process.argv.includes('--record')) await recordTimings();
// Said again at the end: jest prints each failure where it happened, thousands of lines above.
for (const failure of failures) console.log(`failed: ${failure}`);
for (const flake of flakes) console.log(`flaky: ${flake}`);
if (flakes.length > 0) console.log(`${flakes.length} flaky: passed when run again, alone`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function runSuites() {
  const isWhole = words.some((word) => word === 'ci' || word === 'all');
  const python = isWhole ? runPython(words.includes('all') ? [] : ['--newest']) : null;
  for (const suite of suites) {
    // What is measured in elapsed time runs alone.
    if (suite.name === 'nightly') await python;
    if (suite.name !== 'browser' || findChromium()) await runSuite(suite);
  }
  await python;
}

/** Its output would stand between the lines of jest, so it is printed at its end. */
async function runPython(options) {
  const program = ['test/python/run.mjs', '--built', '--where-possible', ...options];
  const child = spawn(process.execPath, program, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const exitCode = await exitCodeOf(child);
  console.log(`\npython\n${printed}`);
  for (const [, count] of printed.matchAll(/(\d+) passed/g)) total.passed += Number(count);
  if (exitCode === 0) return;
  total.failed += 1;
  failures.push('python');
}

/** The tests of the console's pages read the path from the environment. */
function findChromium() {
  process.env.CHROMIUM_PATH ||= BROWSERS.find((program) => existsSync(program)) ?? '';
  if (process.env.CHROMIUM_PATH !== '') return true;
  console.log(
    '\nbrowser\nNo Chromium is installed, so the pages of the console are not tested: apt-get install chromium',
  );
  return false;
}

async function runSuite({ name, files }) {
  const startedAt = performance.now();
  const cpuBefore = cpuSecondsOfChildren();
  console.log(`\n${name}`);
  const first = await runJest(name, files, [`--maxWorkers=${WORKERS_OF[name] ?? WORKERS}`]);
  const failed = first.results.filter((result) => result.failed > 0);
  const repetitionS = failed.reduce((sum, result) => sum + result.seconds, 0);
  const isRepeated = failed.length > 0 && repetitionS <= LONGEST_REPETITION_S && first.problem === null;
  const results = first.results.filter((result) => !isRepeated || result.failed === 0);
  if (isRepeated) for (const once of failed) results.push(await repeat(once));
  for (const { passed, failed: count, titles } of results) {
    total.passed += passed;
    total.failed += count;
    failures.push(...titles);
  }
  for (const result of first.results) seconds[result.file] = result.seconds;
  if (first.problem !== null) {
    total.failed += 1;
    failures.push(`${name}: ${first.problem}`);
  }
  const elapsed = ((performance.now() - startedAt) / 1000).toFixed(0);
  const cpu = (cpuSecondsOfChildren() - cpuBefore).toFixed(0);
  console.log(`${name}: ${files.length} files, ${elapsed} s, ${cpu} s of processor time`);
}

/** Of the processes that ended, with theirs; proc(5), fields 16 and 17. Zero where the system is not Linux. */
function cpuSecondsOfChildren() {
  if (!existsSync('/proc/self/stat')) return 0;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** The second run decides, and there is no third one. */
async function repeat(once) {
  console.log(`\n${once.file} failed, and runs again, alone`);
  const { results, problem } = await runJest('again', [once.file], ['--runInBand']);
  const [again] = results;
  if (problem !== null || again === undefined || again.failed > 0) return again ?? once;
  flakes.push(`${once.file}: failed after ${once.seconds} s, passed in ${again.seconds} s: ${once.titles.join(', ')}`);
  return again;
}

/** The results of each file, and what went wrong besides: servers that did not start, a suite that had to be killed. */
async function runJest(name, files, args) {
  const report = path.join(reports, `${name}.json`);
  await rm(report, { force: true });
  const options = ['-c', 'test/jest.config.cjs', '--ci', '--json', '--outputFile', report, ...args];
  // Specs that only use the default stack share one.
  const env = { KINORA_TEST_SHARES_STACK: files.length > 1 && /smoke|stacks/.test(name) ? '1' : '' };
  const jest = start(env, 'node_modules/jest/bin/jest.js', ...options, '--runTestsByPath', ...files);
  const exitCode = await exitCodeOf(endAfter(jest, report));
  const results = await resultsOf(report);
  if (results === null) return { results: [], problem: 'the report of jest is missing or truncated' };
  const hasFailed = results.some(({ failed }) => failed > 0);
  return { results, problem: exitCode !== 0 && !hasFailed ? `jest ended with ${exitCode ?? 'a signal'}` : null };
}

/** Null where the file is missing or truncated. A test that did not run has not passed. */
async function resultsOf(report) {
  try {
    const { testResults } = JSON.parse(await readFile(report, 'utf8'));
    testResults.sort((one, other) => (one.name < other.name ? -1 : 1));
    return testResults.map(({ name, status, startTime, endTime, assertionResults }) => {
      const file = path.relative(ROOT, name);
      const passed = assertionResults.filter((test) => test.status === 'passed').length;
      const failed = assertionResults.filter((test) => test.status !== 'passed');
      const titles = failed.map(({ fullName }) => `${file} › ${fullName}`);
      const isBroken = status === 'failed' && failed.length === 0;
      return {
        file,
        passed,
        failed: isBroken ? 1 : failed.length,
        titles: isBroken ? [file] : titles,
        seconds: Math.round((endTime - startTime) / 100) / 10,
      };
    });
  } catch {
    return null;
  }
}

/** jest starts the longest files first by these times, so that no worker ends alone. */
async function recordTimings() {
  const known = JSON.parse(await readFile(TIMINGS, 'utf8').catch(() => '{}'));
  const entries = Object.entries({ ...known, ...seconds }).filter(([file]) => existsSync(path.join(ROOT, file)));
  const slow = entries.filter(([, time]) => time >= 1).sort(([one], [other]) => (one < other ? -1 : 1));
  await writeFile(TIMINGS, `${JSON.stringify(Object.fromEntries(slow), null, 2)}\n`);
}

function start(env, ...args) {
  return spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** Kills a process that still runs some time after its report, or beyond the time limit of a suite. */
function endAfter(child, report) {
  const timers = [setTimeout(() => child.kill('SIGKILL'), SUITE_TIMEOUT_MS)];
  const watch = setInterval(() => {
    if (!existsSync(report)) return;
    clearInterval(watch);
    timers.push(setTimeout(() => child.kill('SIGKILL'), EXIT_TIMEOUT_MS));
  }, 500);
  child.on('close', () => [watch, ...timers].forEach(clearTimeout));
  return child;
}

/** Null when the process had to be killed. */
function exitCodeOf(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
}
