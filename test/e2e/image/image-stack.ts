import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { TestBroker, waitFor } from '@kinora/testing';
import { findFreePorts } from '../../../deploy/local/free-ports';
import {
  brokerUsers,
  passwordVariable,
  renderAuthorization,
} from '../../../deploy/build/generate/broker/authorization-file';
import { ROOT } from '../../../deploy/build/source-files';
import { type Container, type Pod, podsOf } from '../../helm/manifest';
import { renderChart } from '../../helm/render-chart';
import type { ImageProcess, RunnableImage } from './image-process';

const CONTEXTS = ['jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher', 'console'];
const PASSWORD = 'image-e2e';
/** Eleven processes start at once. A busy machine takes minutes. */
const READY_WITHIN_MS = 240_000;
/** Of the hooks, with time to stop what did not become ready. */
export const START_TIMEOUT_MS = 300_000;

interface Health {
  status: number;
  report: { error?: Record<string, unknown> };
}

export interface ObjectServer {
  settings: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * All services of an image with the chart's variables, the roles of contexts.sql and the users of the broker. They start before their
 * schemas exist, as they do where the chart's migrations are plain Jobs.
 */
export class ImageStack {
  readonly running = new Map<string, ImageProcess>();
  healthUrls: string[] = [];
  baseUrl = '';
  /** Of the two halves, by their components. */
  readonly consoleUrls: Record<string, string> = {};
  private readonly database = `kinora_image_${randomBytes(4).toString('hex')}`;
  private readonly readyBy = performance.now() + READY_WITHIN_MS;
  readonly writable = mkdtempSync(path.join(os.tmpdir(), 'kinora-image-data-'));

  private constructor(
    readonly image: RunnableImage,
    private readonly broker: TestBroker,
    private readonly objects: ObjectServer | undefined,
  ) {}

  /** Without a server for them, the objects are files. */
  static async start(image: RunnableImage, objects?: ObjectServer): Promise<ImageStack> {
    const stack = new ImageStack(image, await startBroker(), objects);
    try {
      await stack.startServices();
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.running.values()].map((service) => service.stop()));
    await this.broker.close();
    await this.objects?.stop();
    await this.image.remove();
    rmSync(this.writable, { recursive: true });
    await administrate(`DROP DATABASE ${this.database} WITH (FORCE)`);
    for (const context of CONTEXTS) await administrate(`DROP ROLE ${roleOf(context)}`);
  }

  run(program: string, env: Record<string, string>, args: string[] = []): ImageProcess {
    return this.image.start({ program, args, env, writable: this.writable });
  }

  natsUrl(user: string): string {
    return this.broker.url.replace('nats://', `nats://${user}:${PASSWORD}@`);
  }

  private async startServices(): Promise<void> {
    for (const folder of ['objects', 'tmp']) mkdirSync(path.join(this.writable, folder));
    for (const folder of ['.', 'objects', 'tmp']) chmodSync(path.join(this.writable, folder), 0o777);
    await this.createContexts();
    await this.startAll();
    await this.untilHealthy(({ status, report }) => status === 200 || 'migrations' in (report.error ?? {}));
    await this.migrateAll();
    await this.untilHealthy(({ status }) => status === 200);
  }

  /** Runs the operator's script; psql inserts the passwords. */
  private async createContexts(): Promise<void> {
    await administrate(`CREATE DATABASE ${this.database}`);
    const script = readFileSync(path.join(ROOT, 'deploy/helm/kinora/files/postgres/contexts.sql'), 'utf8');
    await administrate(script.replace(/:'\w+_password'/g, `'${PASSWORD}'`), this.database);
  }

  private async migrateAll(): Promise<void> {
    const migrations = CONTEXTS.map((context) =>
      this.run(`dist/apps/${context}/src/migrate.js`, { DATABASE_URL: this.databaseUrl(context) }).end(),
    );
    for (const { exitCode, output } of await Promise.all(migrations))
      expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining('"ran":["') as string });
  }

  /** Each process with the chart's settings, except for the addresses: each pod has its own. */
  private async startAll(): Promise<void> {
    const values = { operator: { enabled: false }, console: { enabled: true }, mcp: { enabled: true } };
    const rendered = podsOf(await renderChart({ example: 'minimal', values }));
    const pods = rendered.filter(({ owner }) => owner.kind === 'Deployment');
    const ports = await findFreePorts(2 * pods.length + 3);
    const [gatewayPort, sandboxPort, mcpPort, ...others] = ports.map(String) as [string, string, string, ...string[]];
    const [healthPorts, pagePorts] = [others.slice(0, pods.length), others.slice(pods.length)];
    this.baseUrl = `http://127.0.0.1:${gatewayPort}`;
    const addresses = {
      KINORA_PORT: gatewayPort,
      KINORA_BASE_URL: `${this.baseUrl}/v1`,
      KINORA_CONSOLE_GATEWAY_URL: this.baseUrl,
      KINORA_MCP_PORT: mcpPort,
      SANDBOX_PORT: sandboxPort,
      KINORA_PUBLIC_URL: this.baseUrl,
      KINORA_SANDBOX_URL: `http://127.0.0.1:${sandboxPort}`,
      KINORA_OBJECT_STORE_DIR: path.join(this.writable, 'objects'),
    };
    this.healthUrls = pods.map((pod, index) => {
      const own = { KINORA_HEALTH_PORT: healthPorts[index] ?? '', KINORA_CONSOLE_PORT: pagePorts[index] ?? '' };
      const component = this.startPod(pod, { ...addresses, ...own });
      if (component.startsWith('console-')) this.consoleUrls[component] = `http://127.0.0.1:${pagePorts[index]}`;
      const onlyPort = { sandbox: sandboxPort, mcp: mcpPort }[component];
      return onlyPort ? `http://127.0.0.1:${onlyPort}/healthz` : `http://127.0.0.1:${healthPorts[index]}/readyz`;
    });
  }

  private startPod({ spec, labels }: Pod, addresses: Record<string, string>): string {
    const component = labels['app.kubernetes.io/component'] as string;
    const container = spec.containers[0] as Container;
    const program = container.command?.at(-1) as string;
    const replaced: Record<string, string> = { ...addresses, ...this.secretsOf(program, component) };
    const given = (container.env ?? []).map(({ name, value = '' }) => [name, replaced[name] ?? trial(name, value)]);
    const env = Object.fromEntries(given) as Record<string, string>;
    const objects = 'KINORA_OBJECT_STORE' in env ? this.objects?.settings : {};
    this.running.set(component, this.run(program, { ...env, ...objects }));
    return component;
  }

  private async untilHealthy(isSo: (health: Health) => boolean): Promise<void> {
    const fetchDocument = async (url: string): Promise<boolean> => {
      const response = await fetch(url).catch(() => null);
      if (response === null) return false;
      // The one of mcp is no JSON.
      const report = await response.json().catch(() => ({}));
      return isSo({ status: response.status, report: report as Health['report'] });
    };
    for (const url of this.healthUrls) {
      const timeoutMs = Math.max(0, this.readyBy - performance.now());
      await waitFor(() => fetchDocument(url), { timeoutMs });
    }
  }

  private secretsOf(program: string, component: string): Record<string, string> {
    const app = program.split('/')[2] as string;
    return { NATS_URL: this.natsUrl(app === 'console' ? component : app), DATABASE_URL: this.databaseUrl(app) };
  }

  private databaseUrl(context: string): string {
    const url = new URL(process.env.KINORA_TEST_DATABASE_URL as string);
    url.pathname = `/${this.database}`;
    url.username = roleOf(context);
    url.password = PASSWORD;
    return url.toString();
  }
}

async function startBroker(): Promise<TestBroker> {
  const users = await brokerUsers();
  const conf = users.reduce(
    (text, { user }) => text.replace(`$${passwordVariable(user)}\n`, `${PASSWORD}\n`),
    renderAuthorization(users),
  );
  return TestBroker.start(conf);
}

function trial(name: string, value: string): string {
  if (value !== '') return value;
  // An Ed25519 key in hexadecimal; every other secret is any long text.
  if (name === 'KINORA_RECEIPT_KEY') return '5e'.repeat(32);
  return /KEY|PEPPER/.test(name) ? 'for-trials-only-for-trials-only-secret' : value;
}

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
