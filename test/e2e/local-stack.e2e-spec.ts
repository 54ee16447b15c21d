import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@kinora/testing';
import type { Job } from '@kinora/contracts/jobs/job';
import { Client } from 'pg';
import { findFreePorts } from '../../deploy/local/free-ports';
import { identify, isAlive, type ProcessIdentity } from '../../deploy/local/processes/process-identity';
import { codeBlocks, toScript } from '../support/guide-steps';
import { LocalStack } from '../support/local-stack';

const run = promisify(execFile);
const SERVICES = ['gateway', 'jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher', 'console', 'sandbox'];
const PNG_SIGNATURE = '89504e470d0a1a0a';
/** Starts a whole stack, which competes with other load on the machine. */
const BOOT_TIMEOUT_MS = 120_000;
jest.setTimeout(BOOT_TIMEOUT_MS);

/** All processes that a launcher has started, including the servers. */
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

  it('prints its URL, a key, and the backend that draws the images', async () => {
    const { base_url, api_key } = await stack.describe();
    expect(stack.output).toContain(base_url);
    expect(stack.output).toContain(api_key);
    expect(stack.output).toMatch(/SANDBOX.*no AI model/);
  });

  it('prints one command that saves an image to the disk', async () => {
    const { stdout } = await run('bash', ['-c', curlLineOf(stack)], { cwd: root });
    const image = path.join(root, 'kinora.png');
    expect(stdout.trim()).toBe(`Saved ${image}`);
    expect(readFileSync(image).subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
  });

  it('describes itself in a file that only its owner can read', async () => {
    const description = await stack.describe();
    expect(description).toEqual({
      pid: expect.any(Number) as number,
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/) as string,
      api_key: expect.stringMatching(/^knr_live_[0-9A-Za-z]{38}$/) as string,
      account_id: expect.any(String) as string,
      webhook_secret: expect.any(String) as string,
      console_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      console_setup_url: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:\d+\/operator\/setup#token=[0-9a-f]{64}$/,
      ) as string,
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
    // The image above has cost something.
    expect(account).toMatchObject({ name: 'Demo', rate_limit_rpm: 600, max_concurrent_jobs: 20 });
    expect(account.balance_usd).toBeGreaterThan(99);
    expect(account.balance_usd).toBeLessThanOrEqual(100);
  });

  it.each(SERVICES)('restarts %s when it is killed, and writes its new pid to the stack file', async (name) => {
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
    await waitFor(isWell);
    expect(identify(after.pid)).not.toBeNull();
  });

  it('lets doctor run a whole job and name a hanging service, with the stack file and without it', async () => {
    const doctor = async (env: NodeJS.ProcessEnv): Promise<{ checks: { name: string; outcome: string }[] }> => {
      const command = [path.resolve('dist/apps/cli/src/main.js'), 'doctor', '--json'];
      const { stdout } = await run(process.execPath, command, { env: { ...process.env, ...env } }).catch(
        (failure: { stdout: string }) => failure,
      );
      return JSON.parse(stdout) as { checks: { name: string; outcome: string }[] };
    };
    const failedOf = ({ checks }: Awaited<ReturnType<typeof doctor>>) =>
      checks.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
    /** Repeated while more checks fail than expected: on a busy machine, a check may take longer than its five seconds. */
    const reportOf = async (env: NodeJS.ProcessEnv, failed: string[]): ReturnType<typeof doctor> => {
      let report = await doctor(env);
      const isRight = async (): Promise<boolean> =>
        failedOf(report).join() === failed.join() || ((report = await doctor(env)), false);
      await waitFor(isRight, { timeoutMs: 60_000 }).catch(() => undefined);
      expect(failedOf(report)).toEqual(failed);
      return report;
    };
    const well = await reportOf({ KINORA_DATA_DIR: dataDir }, []);
    expect(well.checks.at(-1)).toMatchObject({ name: 'sandbox job', outcome: 'ok' });
    const { nats_url, processes } = await stack.describe();
    const pid = processes['moderation']?.pid as number;
    process.kill(pid, 'SIGSTOP');
    try {
      const ill = await reportOf({ KINORA_DATA_DIR: '', NATS_URL: nats_url }, ['moderation']);
      expect(ill.checks.at(-1)).toMatchObject({ name: 'sandbox job', outcome: 'not_tried' });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }, 240_000);

  it('refuses a second launcher on its data folder and on its port', async () => {
    const sameFolder = await LocalStack.launch({ dataDir });
    expect(sameFolder.exitCode).toBe(1);
    expect(sameFolder.output).toMatch(/^Kinora already runs with this data folder \(process \d+\): .*\n$/);
    const port = new URL((await stack.describe()).base_url).port;
    const samePort = await LocalStack.launch({ env: { KINORA_PORT: port } });
    expect(samePort.exitCode).toBe(1);
    expect(samePort.output).toMatch(new RegExp(`^Port ${port} is in use .* KINORA_PORT\\.\n$`));
    await samePort.stop();
  });

  it('comes back with all data after its launcher was killed, and leaves no process behind', async () => {
    const before = await stack.describe();
    const processes = processesOf(stack);
    process.kill(before.pid, 'SIGKILL');
    stack = await LocalStack.start({ dataDir, env: { KINORA_REPLICAS: 'gateway=2,jobs=2' } });
    expect(processes.filter(isAlive)).toEqual([]);
    const after = await stack.describe();
    expect(after).toMatchObject({ api_key: before.api_key, webhook_secret: before.webhook_secret });
    const jobs = (await (await stack.call('/jobs')).json()) as { data: { status: string }[] };
    expect(jobs.data).toMatchObject([{ status: 'succeeded' }]);
  });

  it('runs the configured number of processes of a service', async () => {
    const { processes, api_key } = await stack.describe();
    expect(Object.keys(processes)).toEqual(expect.arrayContaining(['gateway', 'gateway-2', 'jobs', 'jobs-2']));
    const second = `${processes['gateway-2']?.base_url}/account`;
    expect((await fetch(second, { headers: { authorization: `Bearer ${api_key}` } })).status).toBe(200);
  });

  it('never suspends its demo account for strikes', async () => {
    const blocked = { model: 'fast-image', prompt: 'a lighthouse [[output:blocked]]' };
    for (let rehearsal = 0; rehearsal < 6; rehearsal++) {
      const response = await stack.call('/images/generations', { method: 'POST', body: JSON.stringify(blocked) });
      const { id } = (await response.json()) as { id: string };
      const ended = await waitFor(async () => {
        const job = (await (await stack.call(`/jobs/${id}`)).json()) as Job;
        return job.completed_at ? job : null;
      });
      expect(ended.error?.code).toBe('content_blocked_output');
    }
    const { status } = (await (await stack.call('/account')).json()) as { status: string };
    expect(status).toBe('active');
  });

  it("accepts a result's own link as an input", async () => {
    const { data } = (await (await stack.call('/jobs?status=succeeded&limit=1')).json()) as { data: Job[] };
    const output = data[0]?.output;
    const image = output && 'images' in output ? output.images[0]?.url : null;
    expect(image).toMatch(/^http:\/\/127\.0\.0\.1:/);
    const body = JSON.stringify({ prompt: 'black and white', image });
    expect((await stack.call('/images/edits', { method: 'POST', body })).status).toBe(202);
  });

  it('prints the current webhook secret after a rotation', async () => {
    const { account_id } = await stack.describe();
    const rotated = stack.kinora<{ webhook_secret: string }>('account', 'rotate-webhook-secret', account_id);
    const { webhook_secret } = await rotated;
    await waitFor(async () => (await stack.describe()).webhook_secret === webhook_secret);
  });

  it('passes the quickstart, step by step', async () => {
    const { base_url, api_key, webhook_secret } = await stack.describe();
    const folder = path.join(root, 'quickstart');
    mkdirSync(folder);
    // The reader has installed the package openai.
    symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    const [port] = await findFreePorts(1);
    const own = { BASE: base_url, KEY: api_key, WEBHOOK_SECRET: webhook_secret, PORT: String(port) };
    const env = { ...process.env, ...own, KINORA_DATA_DIR: dataDir, npm_config_prefix: undefined };
    const blocks = (await codeBlocks('docs/quickstart.md')).filter(
      // The blocks of the client libraries run in their own suites.
      ({ language, place }) => language !== 'ts' && language !== 'py' && !(language !== 'sh' && place === null),
    );
    const script = `npm() { command npm --prefix '${process.cwd()}' "$@"; }\n${toScript(blocks)}
      until grep job.succeeded second-terminal.log; do sleep 0.1; done`;
    const { stdout } = await run('bash', ['-c', script], { cwd: folder, env });
    expect(stdout).toMatch(/^succeeded\n(?:null|[\d.]+)\nevent: job\.succeeded\nink-wash,pixel-art\S*\n/);
    for (const image of ['lighthouse.png', 'edited.png', 'dusk.png'])
      expect(readFileSync(path.join(folder, image)).subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['n', '0', 'succeeded']));
  });

  it('ends all processes, including a stopped one', async () => {
    const processes = processesOf(stack);
    expect(processes).toHaveLength(1 + 2 + SERVICES.length + 2);
    process.kill((await stack.describe()).processes.jobs?.pid as number, 'SIGSTOP');
    await stack.end('SIGTERM');
    expect(stack.output).toContain('Stopping');
    expect(stack.exitCode).toBe(0);
    expect(processes.filter(isAlive)).toEqual([]);
    expect(existsSync(path.join(dataDir, 'stack.json'))).toBe(false);
  });
});

describe('local stack with external servers', () => {
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
