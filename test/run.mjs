// Builds, runs suites of specs, and ends with one line: `N passed, N failed`.
//   npm test                      the suites unit and stacks
//   node test/run.mjs SUITE…      the named ones; `all` names every suite
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
/** The time limit of a suite. On an idle machine a suite takes a fraction of it. */
const SUITE_TIMEOUT_MS = 35 * 60_000;
/** How long jest may run after its report. A spec that leaves a handle open keeps jest alive, which is a failure. */
const EXIT_TIMEOUT_MS = 5_000;

const FAULTS = '/test/faults/';
const BROWSER = '/test/console/';
const SUITES = [
  { name: 'unit', args: ['--testPathIgnorePatterns', '/test/(e2e|cluster)/', FAULTS, BROWSER] },
  // Each starts whole stacks, which wait most of the time: one at a time would leave half of the machine idle.
  { name: 'stacks', args: ['--testPathPatterns', '/test/e2e/'] },
  { name: 'faults', args: ['--testPathPatterns', FAULTS] },
  { name: 'browser', args: ['--testPathPatterns', BROWSER], needs: findChromium },
];
/** What fits into 25 minutes on two cores. */
const DEFAULT_SUITES = ['unit', 'stacks'];
/** Debian's, and where other distributions and Chrome's own packages put it. No package of npm holds a browser. */
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];

const reports = await mkdtemp(path.join(tmpdir(), 'kinora-report-'));
const total = { passed: 0, failed: 0 };
const failures = [];
const suites = chosenSuites(process.argv.slice(2));
if ((await exitCodeOf(start('deploy/build/build.mjs'))) !== 0) total.failed += 1;
else for (const suite of suites) if (suite.needs?.() ?? true) add(await runSuite(suite));
await rm(reports, { recursive: true, force: true });
// Said again at the end: jest prints each failure where it happened, thousands of lines above.
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

function chosenSuites(names) {
  const unknown = names.find((name) => name !== 'all' && !SUITES.some((suite) => suite.name === name));
  if (unknown !== undefined) {
    console.error(`${unknown} is no suite: name some of ${SUITES.map(({ name }) => name).join(', ')}, or all.`);
    process.exit(2);
  }
  if (names.includes('all')) return SUITES;
  const chosen = names.length > 0 ? names : DEFAULT_SUITES;
  return SUITES.filter(({ name }) => chosen.includes(name));
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

function add({ passed, failed }) {
  total.passed += passed;
  total.failed += failed;
}

async function runSuite({ name, args }) {
  console.log(`\n${name}`);
  const report = path.join(reports, `${name}.json`);
  const jest = [
    'node_modules/jest/bin/jest.js',
    '-c',
    'test/jest.config.cjs',
    '--ci',
    '--maxWorkers=2',
    '--json',
    '--outputFile',
    report,
  ];
  const exitCode = await exitCodeOf(endAfter(start(...jest, ...args), report));
  const counted = await countTests(report);
  // Problems that no test reports count as one failure: servers that did not start, or a suite that was killed.
  return exitCode !== 0 && counted.failed === 0 ? { ...counted, failed: 1 } : counted;
}

/** A test that did not run has not passed, and an unreadable file is a failure of its own. */
async function countTests(report) {
  try {
    const counts = JSON.parse(await readFile(report, 'utf8'));
    failures.push(...counts.testResults.flatMap(failuresOf));
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = counts;
    return {
      passed: numPassedTests,
      failed: numFailedTests + numPendingTests + numTodoTests + numRuntimeErrorTestSuites,
    };
  } catch {
    // The report is missing or truncated. Its tests are unknown, but the summary line must be printed.
    return { passed: 0, failed: 1 };
  }
}

/** The titles of the failed tests of a file, or the file that could not be run. */
function failuresOf({ name, status, assertionResults }) {
  const file = path.relative(ROOT, name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (status === 'failed' && failed.length === 0) return [file];
  return failed.map(({ fullName }) => `${file} › ${fullName}`);
}

function start(...args) {
  return spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
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
