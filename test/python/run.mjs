// Builds the wheel of the Python client, installs it in virtual environments, and runs its tests against one local stack.
// `npm run test:python`; `-- --where-possible` prints one line and succeeds on a machine without Python or package index,
// `-- --newest` leaves out the oldest supported interpreter, `-- --built` builds nothing.
// Further arguments are pytest's: `npm run test:python -- -k faults`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PACKAGE = path.join(ROOT, 'libs/sdk-python');
const OLDEST = [3, 9];
const args = process.argv.slice(2);
const OPTIONS = ['--where-possible', '--newest', '--built'];
const [isOptional, isNewestOnly, isBuilt] = OPTIONS.map((option) => args.includes(option));
const pytestArgs = args.filter((one) => !OPTIONS.includes(one));

class NotPossible extends Error {}

const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-python-'));
try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof NotPossible)) throw error;
  console.log(`The tests of the Python client did not run: ${error.message}`);
  process.exitCode = isOptional ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main() {
  const [newest, ...others] = isNewestOnly ? interpreters().slice(0, 1) : interpreters();
  const tools = makeEnvironment(newest, 'tools', ['-r', path.join(PACKAGE, 'requirements-build.txt')]);
  const wheel = buildWheel(tools);
  const environments = [newest, ...others].map((interpreter) => ({
    ...interpreter,
    python: makeEnvironment(interpreter, interpreter.version, [
      wheel,
      '-r',
      path.join(PACKAGE, 'requirements-test.txt'),
    ]),
  }));
  const stack = await startStack();
  let failures = 0;
  try {
    for (const { version, python } of environments) {
      console.log(`\nPython ${version}`);
      failures += await runTests(python, stack.description);
    }
  } finally {
    // Also compares the ledger with the jobs.
    await stack.stop();
  }
  return failures === 0 ? 0 : 1;
}

/** The newest interpreter first; beside it the oldest supported one, where there is one. */
function interpreters() {
  const { KINORA_PYTHON, PYENV_ROOT = path.join(os.homedir(), '.pyenv') } = process.env;
  const newest = [KINORA_PYTHON, 'python3.11', 'python3', 'python'].map(probe).find((found) => found !== null);
  if (!newest) throw new NotPossible(`no Python ${OLDEST.join('.')} or newer was found (KINORA_PYTHON names one).`);
  const versions = path.join(PYENV_ROOT, 'versions');
  const managed = existsSync(versions) ? readdirSync(versions).filter((name) => name.startsWith('3.9.')) : [];
  const candidates = ['python3.9', ...managed.map((name) => path.join(versions, name, 'bin/python'))];
  const oldest = candidates.map(probe).find((found) => found?.version.startsWith('3.9.'));
  return oldest && oldest.version !== newest.version ? [newest, oldest] : [newest];
}

function probe(command) {
  if (!command) return null;
  const code = 'import sys, venv; print("%d.%d.%d" % sys.version_info[:3])';
  const { status, stdout } = spawnSync(command, ['-c', code], { encoding: 'utf8' });
  const version = status === 0 ? stdout.trim() : '';
  const [major, minor] = version.split('.').map(Number);
  return major === OLDEST[0] && minor >= OLDEST[1] ? { command, version } : null;
}

/** A virtual environment with these packages. @returns its interpreter */
function makeEnvironment({ command }, name, packages) {
  const place = path.join(folder, name);
  const made = spawnSync(command, ['-m', 'venv', place], { encoding: 'utf8' });
  if (made.status !== 0) throw new NotPossible(`${command} -m venv failed: ${lastLine(made)}`);
  const python = path.join(place, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const installed = spawnSync(python, ['-m', 'pip', 'install', '--quiet', ...packages], { encoding: 'utf8' });
  if (installed.status !== 0) throw new NotPossible(`pip did not install its tools: ${lastLine(installed)}`);
  return python;
}

function lastLine({ stdout, stderr, error }) {
  return `${stdout ?? ''}${stderr ?? ''}${error ?? ''}`.trim().split('\n').at(-1);
}

function buildWheel(python) {
  const target = path.join(folder, 'wheel');
  const built = spawnSync(
    python,
    ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--no-build-isolation', '--wheel-dir', target, PACKAGE],
    { encoding: 'utf8' },
  );
  if (built.status !== 0) throw new Error(`The wheel was not built:\n${built.stdout}${built.stderr}`);
  const [name] = readdirSync(target);
  const wheel = path.join(target, name);
  console.log(`${name}: ${statSync(wheel).size} bytes`);
  return wheel;
}

/**
 * One stack with an account for each purpose, so that no test changes the balance that another one compares, and with a model at a
 * backend of each type.
 */
async function startStack() {
  const build = () => exitCodeOf(spawn(process.execPath, ['deploy/build/build.mjs'], { cwd: ROOT, stdio: 'inherit' }));
  if (!isBuilt && (await build()) !== 0) throw new Error('The build failed.');
  process.chdir(ROOT);
  const require = createRequire(path.join(ROOT, 'dist/test/support/operator.js'));
  require('reflect-metadata');
  const { ImageBackends } = require('./image-backends.js');
  const { LocalStack } = require('./local-stack.js');
  const { openAccount, openKey } = require('./operator.js');
  const backends = await ImageBackends.start();
  const stack = await LocalStack.start({ env: { KINORA_CONFIG_DIR: backends.configDir } });
  const stop = async () => {
    await stack.stop();
    await backends.stop();
  };
  const { base_url, api_key } = await stack.describe();
  const account = async (balance_micros) => {
    const { accountId, webhookSecret } = await openAccount(stack, { balance_micros });
    const { client } = await openKey(stack, { account_id: accountId, name: 'python', scope: 'account' });
    return { id: accountId, api_key: client.apiKey, webhook_secret: webhookSecret };
  };
  const description = path.join(folder, 'stack.json');
  const accounts = { main: await account(100_000_000), faults: await account(100_000_000) };
  writeFileSync(description, JSON.stringify({ base_url, demo_key: api_key, accounts }), { mode: 0o600 });
  return { description, stop };
}

function runTests(python, description) {
  const environment = {
    ...process.env,
    KINORA_TEST_STACK: description,
    KINORA_REPOSITORY: ROOT,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  // A key of the developer must not reach the tests, nor their calls its service.
  for (const name of ['KINORA_API_KEY', 'KINORA_BASE_URL', 'PYTHONPATH']) delete environment[name];
  const command = ['-m', 'pytest', '--quiet', '-p', 'no:cacheprovider', ...pytestArgs];
  return exitCodeOf(spawn(python, command, { cwd: PACKAGE, env: environment, stdio: 'inherit' }));
}

function exitCodeOf(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
