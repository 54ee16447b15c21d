import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import type { Job } from '@kinora/contracts/jobs/job';
import { imagesOf, TestBroker, waitFor } from '@kinora/testing';
import { findFreePorts } from '../../../deploy/local/free-ports';
import {
  brokerUsers,
  passwordVariable,
  renderAuthorization,
} from '../../../deploy/build/generate/broker/authorization-file';
import { type Container, podsOf } from '../../helm/manifest';
import { renderChart } from '../../helm/render-chart';
import { ROOT } from '../../../deploy/build/source-files';
import { ImageProcess } from './image-process';
import { ImageTree } from './image-tree';

const CONTEXTS = ['jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher'];
const PASSWORD = 'image-e2e';
const START_TIMEOUT_MS = 180_000;

interface Health {
  status: number;
  report: { error?: Record<string, unknown> };
}

/** The services start before their schemas exist, as they do where the chart's migrations are plain Jobs. */
describe('image', () => {
  const database = `kinora_image_${randomBytes(4).toString('hex')}`;
  const writable = mkdtempSync(path.join(os.tmpdir(), 'kinora-image-data-'));
  const running = new Map<string, ImageProcess>();
  let tree: ImageTree;
  let broker: TestBroker;
  let healthUrls: string[];
  let baseUrl: string;

  beforeAll(async () => {
    for (const folder of ['objects', 'tmp']) mkdirSync(path.join(writable, folder));
    for (const folder of ['.', 'objects', 'tmp']) chmodSync(path.join(writable, folder), 0o777);
    [tree, broker] = await Promise.all([ImageTree.assemble(), startBroker(), createContexts()]);
    await startAll();
    await untilHealthy(({ status, report }) => status === 200 || 'migrations' in (report.error ?? {}));
    await migrateAll();
    await untilHealthy(({ status }) => status === 200);
  }, START_TIMEOUT_MS);

  afterAll(async () => {
    await Promise.all([...running.values()].map((service) => service.stop()));
    await broker.close();
    await tree.remove();
    rmSync(writable, { recursive: true });
    await administrate(`DROP DATABASE ${database} WITH (FORCE)`);
    for (const context of CONTEXTS) await administrate(`DROP ROLE ${roleOf(context)}`);
  }, START_TIMEOUT_MS);

  async function startBroker(): Promise<TestBroker> {
    const users = await brokerUsers();
    const conf = users.reduce(
      (text, { user }) => text.replace(`$${passwordVariable(user)}\n`, `${PASSWORD}\n`),
      renderAuthorization(users),
    );
    return TestBroker.start(conf);
  }

  /** Runs the operator's script; psql inserts the passwords. */
  async function createContexts(): Promise<void> {
    await administrate(`CREATE DATABASE ${database}`);
    const script = readFileSync(path.join(ROOT, 'deploy/postgres/contexts.sql'), 'utf8');
    await administrate(script.replace(/:'\w+_password'/g, `'${PASSWORD}'`), database);
  }

  async function migrateAll(): Promise<void> {
    const migrations = CONTEXTS.map((context) =>
      start(`dist/apps/${context}/src/migrate.js`, { DATABASE_URL: databaseUrl(context) }).end(),
    );
    for (const { exitCode, output } of await Promise.all(migrations))
      expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining('"ran":["') as string });
  }

  /** Each process with the chart's settings, except for the addresses: each pod has its own. */
  async function startAll(): Promise<void> {
    const values = { operator: { enabled: false } };
    const rendered = podsOf(await renderChart({ example: 'minimal', values }));
    const pods = rendered.filter(({ owner }) => owner.kind === 'Deployment');
    const ports = await findFreePorts(pods.length + 2);
    const [gatewayPort, sandboxPort, ...healthPorts] = ports.map(String) as [string, string, ...string[]];
    baseUrl = `http://127.0.0.1:${gatewayPort}`;
    const addresses = {
      KINORA_PORT: gatewayPort,
      SANDBOX_PORT: sandboxPort,
      KINORA_PUBLIC_URL: baseUrl,
      KINORA_SANDBOX_URL: `http://127.0.0.1:${sandboxPort}`,
      KINORA_OBJECT_STORE_DIR: path.join(writable, 'objects'),
    };
    healthUrls = pods.map(({ spec, labels }, index) => {
      const component = labels['app.kubernetes.io/component'] as string;
      const container = spec.containers[0] as Container;
      const healthPort = healthPorts[index] as string;
      const program = container.command?.at(-1) as string;
      const replaced: Record<string, string> = { ...addresses, KINORA_HEALTH_PORT: healthPort, ...secretsOf(program) };
      const given = (container.env ?? []).map(({ name, value = '' }) => [name, replaced[name] ?? trial(name, value)]);
      running.set(component, start(program, Object.fromEntries(given) as Record<string, string>));
      return component === 'sandbox'
        ? `http://127.0.0.1:${sandboxPort}/healthz`
        : `http://127.0.0.1:${healthPort}/readyz`;
    });
  }

  async function untilHealthy(isSo: (health: Health) => boolean): Promise<void> {
    const fetchDocument = async (url: string): Promise<boolean> => {
      const response = await fetch(url).catch(() => null);
      return (
        response !== null && isSo({ status: response.status, report: (await response.json()) as Health['report'] })
      );
    };
    for (const url of healthUrls) await waitFor(() => fetchDocument(url), { timeoutMs: START_TIMEOUT_MS });
  }

  function secretsOf(program: string): Record<string, string> {
    const app = program.split('/')[2] as string;
    return { NATS_URL: natsUrl(app), DATABASE_URL: databaseUrl(app) };
  }

  function trial(name: string, value: string): string {
    return value === '' && /KEY|PEPPER/.test(name) ? 'for-trials-only-for-trials-only-secret' : value;
  }

  function start(program: string, env: Record<string, string>, args: string[] = []): ImageProcess {
    return new ImageProcess({
      folder: tree.folder,
      program,
      args,
      env: { TMPDIR: path.join(writable, 'tmp'), ...env },
    });
  }

  function natsUrl(user: string): string {
    return broker.url.replace('nats://', `nats://${user}:${PASSWORD}@`);
  }

  it('runs every service from read-only files, without its own user, and creates an image that is charged', async () => {
    const cli = start('dist/apps/cli/src/main.js', { NATS_URL: natsUrl('operator') }, [
      'account',
      'create',
      '--name',
      'image',
      // Polls without a pause.
      '--rpm',
      '100000',
      '--json',
    ]);
    const { output } = await cli.end();
    const { api_key: key } = JSON.parse(output) as { api_key: string };
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ prompt: 'a lighthouse on a rocky coast' });
    const created = await fetch(`${baseUrl}/v1/images/generations`, { method: 'POST', headers, body });
    expect(created.status).toBe(202);
    const { id } = (await created.json()) as { id: string };
    const job = await waitFor(
      async () => {
        const polled = (await (await fetch(`${baseUrl}/v1/jobs/${id}`, { headers })).json()) as Job;
        return polled.status === 'succeeded' && polled;
      },
      { timeoutMs: 60_000 },
    );
    const url = imagesOf(job)[0]?.url as string;
    const image = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(image.length).toBeGreaterThan(1_000);
  });

  it('passes the test of the chart, which runs a job to its image and its charge', async () => {
    const [pod] = podsOf(await renderChart({ example: 'minimal' })).filter(({ owner }) => owner.kind === 'Pod');
    const { command = [], env = [] } = pod?.spec.containers[0] as Container;
    const replaced: Record<string, string> = {
      GATEWAY_URL: baseUrl,
      PUBLIC_URL: baseUrl,
      NATS_URL: natsUrl('operator'),
    };
    const given = env.map(({ name, value = '' }) => [name, replaced[name] ?? value]);
    const [, program = '', ...args] = command;
    const { exitCode, output } = await start(program, Object.fromEntries(given) as Record<string, string>, args).end();
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/"bytes":\d{4,},"charged_micros":[1-9]/) as string,
    });
  });

  it('reports to Docker whether a service is ready', async () => {
    const port = new URL(healthUrls[0] as string).port;
    const requested = [port, '1'].map((each) => start('health-check.cjs', { KINORA_HEALTH_PORT: each }).end());
    expect((await Promise.all(requested)).map(({ exitCode }) => exitCode)).toEqual([0, 1]);
  });

  it('ends every service in order on SIGTERM', async () => {
    const codes = await Promise.all([...running].map(async ([name, service]) => [name, await service.stop()]));
    expect(Object.fromEntries(codes)).toEqual(Object.fromEntries([...running.keys()].map((name) => [name, 0])));
  });

  function databaseUrl(context: string): string {
    const url = new URL(process.env.KINORA_TEST_DATABASE_URL as string);
    url.pathname = `/${database}`;
    url.username = roleOf(context);
    url.password = PASSWORD;
    return url.toString();
  }
});

function roleOf(context: string): string {
  return `kinora_${context.replaceAll('-', '_')}`;
}

async function administrate(sql: string, database?: string): Promise<void> {
  const url = new URL(process.env.KINORA_TEST_DATABASE_URL as string);
  if (database !== undefined) url.pathname = `/${database}`;
  const client = new Client({ connectionString: url.toString() });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
