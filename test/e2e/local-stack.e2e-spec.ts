import { execFile } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@kinora/testing';
import { Client } from 'pg';
import { cacheFolder } from '../../deploy/local/cache-folder';
import { findFreePorts } from '../../deploy/local/free-ports';
import { findNatsBinary } from '../../deploy/local/nats/nats-binary';
import { identify, isAlive, type ProcessIdentity } from '../../deploy/local/processes/process-identity';
import { codeBlocks, toScript } from '../support/guide-steps';
import { LocalStack } from '../support/local-stack';

const run = promisify(execFile);
const SERVICES = ['gateway', 'jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher', 'sandbox'];
const PNG_SIGNATURE = '89504e470d0a1a0a';
/** Boots a whole stack, which competes with the rest of the machine. */
const BOOT_TIMEOUT_MS = 120_000;
const STOP_LIMIT_MS = 10_000;
const LATER_START_LIMIT_MS = 45_000;
/** Root cannot become an ordinary user in earnest where the checkout lies below its home: this one may read, not write. */
const NOBODY = 65_534;
const AS_NOBODY = [
  'setpriv',
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  '--clear-groups',
  '--inh-caps=+dac_read_search',
  '--ambient-caps=+dac_read_search',
];

jest.setTimeout(BOOT_TIMEOUT_MS);

/** Everything that a launcher has started, the servers too. */
function processesOf(stack: LocalStack): ProcessIdentity[] {
  const text = readFileSync(path.join(stack.dataDir, 'running.json'), 'utf8');
  const { launcher, processes } = JSON.parse(text) as {
    launcher: ProcessIdentity;
    processes: Record<string, ProcessIdentity>;
  };
  return [launcher, ...Object.values(processes)];
}

function curlLineOf(stack: LocalStack): string {
  const line = stack.output.split('\n').find((candidate) => candidate.includes('curl'));
  if (line === undefined) throw new Error(`No curl line in:\n${stack.output}`);
  return line;
}

describe('local stack', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'kinora-e2e-'));
  const dataDir = path.join(root, 'data');
  let stack: LocalStack;

  beforeAll(async () => {
    stack = await LocalStack.start({ dataDir });
  });
  afterAll(async () => {
    await stack.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it('shows where it is, a key, and what draws the pictures', async () => {
    const { base_url, api_key } = await stack.describe();
    expect(stack.output).toContain(base_url);
    expect(stack.output).toContain(api_key);
    expect(stack.output).toMatch(/SANDBOX.*no AI model/);
  });

  it('shows one line that puts a picture on the disk', async () => {
    const { stdout } = await run('bash', ['-c', curlLineOf(stack)], { cwd: root });
    const picture = path.join(root, 'kinora.png');
    expect(stdout.trim()).toBe(`Saved ${picture}`);
    expect(readFileSync(picture).subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
  });

  it('describes itself in a file for its owner only', async () => {
    const description = await stack.describe();
    expect(description).toEqual({
      pid: expect.any(Number) as number,
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/) as string,
      api_key: expect.stringMatching(/^knr_live_[0-9A-Za-z]{38}$/) as string,
      account_id: expect.any(String) as string,
      webhook_secret: expect.any(String) as string,
      nats_url: expect.stringMatching(/^nats:/) as string,
      database_url: expect.stringMatching(/^postgres:/) as string,
      processes: expect.any(Object) as object,
    });
    expect(Object.keys(description.processes).sort()).toEqual([...SERVICES].sort());
    expect(description.processes.gateway?.base_url).toBe(description.base_url);
    expect(statSync(path.join(dataDir, 'stack.json')).mode & 0o777).toBe(0o600);
  });

  it('gives the demo account 100 USD', async () => {
    const account = (await (await stack.call('/account')).json()) as { name: string; balance_usd: number };
    // The picture above has cost something.
    expect(account.name).toBe('Demo');
    expect(account.balance_usd).toBeGreaterThan(99);
    expect(account.balance_usd).toBeLessThanOrEqual(100);
  });

  it.each(SERVICES)('starts %s again when it is killed, and writes its new number back', async (name) => {
    const before = (await stack.describe()).processes[name] as { pid: number; health_url: string };
    process.kill(before.pid, 'SIGKILL');
    const after = await waitFor(async () => {
      const now = (await stack.describe()).processes[name];
      return now && now.pid !== before.pid && now;
    });
    expect(after.health_url).toBe(before.health_url);
    const isWell = (): Promise<boolean> =>
      fetch(after.health_url).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitFor(isWell, { timeoutMs: 30_000 });
    expect(identify(after.pid)).not.toBeNull();
  });

  it('keeps a second launcher off its data folder and off its port', async () => {
    const sameFolder = await LocalStack.launch({ dataDir });
    expect(sameFolder.exitCode).toBe(1);
    expect(sameFolder.output).toMatch(/^Kinora already runs with this data folder \(process \d+\): .*\n$/);
    const port = new URL((await stack.describe()).base_url).port;
    const samePort = await LocalStack.launch({ env: { KINORA_PORT: port } });
    expect(samePort.exitCode).toBe(1);
    expect(samePort.output).toMatch(new RegExp(`^Port ${port} is in use .* KINORA_PORT\\.\n$`));
    await samePort.stop();
  });

  it('comes back with everything after its launcher was killed, and leaves nobody behind', async () => {
    const before = await stack.describe();
    const processes = processesOf(stack);
    process.kill(before.pid, 'SIGKILL');
    const startedAt = performance.now();
    stack = await LocalStack.start({ dataDir, env: { KINORA_REPLICAS: 'gateway=2,jobs=2' } });
    expect(performance.now() - startedAt).toBeLessThan(LATER_START_LIMIT_MS);
    expect(processes.filter(isAlive)).toEqual([]);
    const after = await stack.describe();
    expect(after).toMatchObject({ api_key: before.api_key, webhook_secret: before.webhook_secret });
    const jobs = (await (await stack.call('/jobs')).json()) as { data: { status: string }[] };
    expect(jobs.data).toMatchObject([{ status: 'succeeded' }]);
  });

  it('runs as many processes of a service as it is told to', async () => {
    const { processes, api_key } = await stack.describe();
    expect(Object.keys(processes)).toEqual(expect.arrayContaining(['gateway', 'gateway-2', 'jobs', 'jobs-2']));
    const second = `${processes['gateway-2']?.base_url}/account`;
    expect((await fetch(second, { headers: { authorization: `Bearer ${api_key}` } })).status).toBe(200);
  });

  it('does what the quickstart says, step by step', async () => {
    const { base_url, api_key, webhook_secret } = await stack.describe();
    const folder = path.join(root, 'quickstart');
    mkdirSync(folder);
    const [port] = await findFreePorts(1);
    const own = { BASE: base_url, KEY: api_key, WEBHOOK_SECRET: webhook_secret, PORT: String(port) };
    const env = { ...process.env, ...own, KINORA_DATA_DIR: dataDir, npm_config_prefix: undefined };
    const blocks = (await codeBlocks('docs/quickstart.md')).filter(({ language }) => language !== 'py');
    const script = `npm() { command npm --prefix '${process.cwd()}' "$@"; }\n${toScript(blocks)}
      until grep job.succeeded second-terminal.log; do sleep 0.1; done`;
    const { stdout } = await run('bash', ['-c', script], { cwd: folder, env });
    expect(stdout).toMatch(/^ink-wash,pixel-art\S*\n/);
    for (const picture of ['lighthouse.png', 'edited.png'])
      expect(readFileSync(path.join(folder, picture)).subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['n', '0', 'succeeded']));
  });

  it('ends everything within ten seconds, also a process that is stopped', async () => {
    const processes = processesOf(stack);
    expect(processes).toHaveLength(1 + 2 + SERVICES.length + 2);
    process.kill((await stack.describe()).processes.jobs?.pid as number, 'SIGSTOP');
    const startedAt = performance.now();
    await stack.end('SIGTERM');
    expect(performance.now() - startedAt).toBeLessThan(STOP_LIMIT_MS);
    expect(stack.exitCode).toBe(0);
    expect(processes.filter(isAlive)).toEqual([]);
    expect(existsSync(path.join(dataDir, 'stack.json'))).toBe(false);
  });
});

describe('local stack with servers of somebody else', () => {
  it('uses them and leaves them running', async () => {
    const administrator = new Client({ connectionString: process.env.KINORA_TEST_DATABASE_URL });
    await administrator.connect();
    await administrator.query('CREATE DATABASE kinora_external');
    const url = new URL(process.env.KINORA_TEST_DATABASE_URL as string);
    url.pathname = '/kinora_external';
    const natsUrl = process.env.KINORA_TEST_NATS_URL as string;
    const stack = await LocalStack.start({ env: { DATABASE_URL: url.toString(), NATS_URL: natsUrl } });
    try {
      expect(await stack.describe()).toMatchObject({ database_url: url.toString(), nats_url: natsUrl });
      expect((await stack.call('/account')).status).toBe(200);
      expect(existsSync(path.join(stack.dataDir, 'postgres'))).toBe(false);
    } finally {
      await stack.end('SIGINT');
    }
    expect((await administrator.query('SELECT 1 AS alive')).rows).toEqual([{ alive: 1 }]);
    await administrator.query('DROP DATABASE kinora_external WITH (FORCE)');
    await administrator.end();
  });
});

describe('local stack of an ordinary user', () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kinora-e2e-user-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('needs no right that such a user lacks', async () => {
    const cache = path.join(home, 'cache');
    mkdirSync(cache);
    copyFileSync(
      await findNatsBinary({ cacheDir: cacheFolder(process.env), env: process.env }),
      path.join(cache, 'nats-server'),
    );
    const isRoot = process.getuid?.() === 0;
    if (isRoot) for (const file of [home, cache]) chownSync(file, NOBODY, NOBODY);
    const stack = await LocalStack.start({
      dataDir: path.join(home, 'data'),
      env: { KINORA_CACHE_DIR: cache },
      prefix: isRoot ? AS_NOBODY : [],
    });
    expect(statSync(path.join(stack.dataDir, 'postgres')).uid).toBe(statSync(stack.dataDir).uid);
    expect((await stack.call('/account')).status).toBe(200);
    await stack.end('SIGINT');
    expect(stack.exitCode).toBe(0);
  });
});

describe('local stack that cannot start', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'kinora-e2e-problem-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  /** What is told after the announcement that the start begins. */
  async function problemOf(env: NodeJS.ProcessEnv): Promise<string[]> {
    const stack = await LocalStack.launch({ env });
    await stack.stop();
    expect(stack.exitCode).toBe(1);
    return stack.output
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('Starting Kinora'));
  }

  it('says that DATABASE_URL leads nowhere', async () => {
    const lines = await problemOf({ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none' });
    expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL: .*ECONNREFUSED/)]);
  });

  it("names the line of an operator's file that is wrong", async () => {
    writeFileSync(path.join(root, 'catalog.yaml'), 'models:\n  - id: 7\n');
    const lines = await problemOf({ KINORA_CONFIG_DIR: root });
    expect(lines).toEqual([expect.stringMatching(/^catalog did not start: .*catalog\.yaml/)]);
  });

  it('says that the data folder cannot be written', async () => {
    writeFileSync(path.join(root, 'file'), '');
    const stack = await LocalStack.launch({ dataDir: path.join(root, 'file/data') });
    expect(stack.exitCode).toBe(1);
    expect(stack.output).toMatch(/^Cannot write to the data folder .* set KINORA_DATA_DIR to another folder\.\n$/);
  });
});
