import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { RECEIVER_AUTHORITY_FILE } from '@kinora/testing';
import { Client } from 'pg';
import { findFreePorts } from '../../deploy/local/free-ports';
import { nodeArguments } from '../../deploy/local/service-process';
import type { Stack } from '../../deploy/local/stack-file';
import { waitUntil } from '../../deploy/local/wait-until';
import { assertDescribed } from './described-answers';
import { fillDataFolder } from './prepared-data-folder';
import { auditStack, CLI } from './stack-books';

/** Relative to the repository's root, where npm and jest start every script. */
const PROGRAMS = path.resolve('dist');
const LAUNCHER = 'deploy/local/start.js';
const SMALL_IMAGES = path.resolve('test/faults/config');
const READY_WITHIN_MS = 90_000;
/** Longer than the ten seconds of the launcher, whose test measures them: other specs need only its end. */
const STOP_WITHIN_MS = 30_000;
/**
 * On an idle machine, the money of ended jobs is settled within two seconds. On a busy one, each round of the audit takes longer
 * than that.
 */
const AGREED_WITHIN_MS = 60_000;

export interface LocalStackOptions {
  /** Defaults to a folder as after a first start, which is deleted when the stack stops. */
  dataDir?: string;
  env?: NodeJS.ProcessEnv;
  /** The operator's files, by name: as text, or as an object for one in JSON. */
  config?: Record<string, string | object>;
  /** Draws small images, for suites whose subject is what happens to many jobs. */
  smallImages?: boolean;
  /** Prefix of the command, for example to run it as another user. */
  prefix?: string[];
  /** The folder of the built programs, which may be those of an earlier release. */
  programs?: string;
}

/** The whole of Kinora as `npm start` runs it after the build, in processes of its own. */
export class LocalStack {
  private printed = '';
  private readonly connections: Client[] = [];

  private constructor(
    /** Null for the stack of the run, which the specs that share it neither watch nor stop. */
    private readonly launcher: ChildProcess | null,
    readonly dataDir: string,
    private readonly ownsDataDir: boolean,
    /** What the clients of this stack ask for by default. */
    readonly imageSize = '512x512',
  ) {
    for (const stream of [launcher?.stdout, launcher?.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.printed += text));
    }
  }

  /**
   * The default stack that all specs of a run share, or a stack of its own where a spec runs alone. Each test opens an account of
   * its own (`openAccount`). A spec that configures, kills or counts processes starts a stack itself.
   */
  static async shared(): Promise<LocalStack> {
    const dataDir = process.env['KINORA_TEST_STACK'];
    return dataDir ? new LocalStack(null, dataDir, false) : LocalStack.startShared();
  }

  /** May deliver webhooks to receivers on this machine. */
  static async startShared(): Promise<LocalStack> {
    return LocalStack.start({
      env: { KINORA_EGRESS_ALLOW: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE },
    });
  }

  /** Runs the launcher until the stack is ready, or until the launcher exits. */
  static async launch(options: LocalStackOptions = {}): Promise<LocalStack> {
    const { dataDir, env, config, smallImages, prefix = [], programs = PROGRAMS } = options;
    const folder = dataDir ?? (await mkdtemp(path.join(os.tmpdir(), 'kinora-stack-')));
    if (dataDir === undefined && env?.DATABASE_URL === undefined) await fillDataFolder(folder, startOnce);
    if (config) await writeConfig(path.join(folder, 'config'), config);
    const [port, consolePort] = await findFreePorts(2);
    const program = [process.execPath, ...nodeArguments(programs), path.join(programs, LAUNCHER)];
    const [command = process.execPath, ...args] = [...prefix, ...program];
    const launcher = spawn(command, args, {
      env: {
        ...process.env,
        KINORA_PORT: String(port),
        KINORA_CONSOLE_PORT: String(consolePort),
        ...(smallImages && { KINORA_CONFIG_DIR: SMALL_IMAGES }),
        ...env,
        KINORA_DATA_DIR: folder,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stack = new LocalStack(launcher, folder, dataDir === undefined, smallImages ? '128x128' : '512x512');
    const settled = async (): Promise<boolean> => stack.hasExited || (await stack.isReady());
    if (!(await waitUntil(settled, { timeoutMs: READY_WITHIN_MS }))) {
      launcher.kill('SIGKILL');
      throw new Error(`The stack was not ready in time; it printed:\n${stack.output}`);
    }
    return stack;
  }

  /** As `launch`, for a stack that must start. */
  static async start(options: LocalStackOptions = {}): Promise<LocalStack> {
    const stack = await LocalStack.launch(options);
    if (stack.hasExited) throw new Error(`The stack did not start; it printed:\n${stack.output}`);
    return stack;
  }

  get output(): string {
    return this.printed;
  }

  get exitCode(): number | null {
    return this.launcher?.exitCode ?? null;
  }

  get hasExited(): boolean {
    return this.launcher !== null && (this.launcher.exitCode !== null || this.launcher.signalCode !== null);
  }

  /** The current content of `stack.json`. */
  async describe(): Promise<Stack> {
    return JSON.parse(await readFile(path.join(this.dataDir, 'stack.json'), 'utf8')) as Stack;
  }

  /** Calls the public API with the demo key. */
  async call(route: string, init: RequestInit = {}): Promise<Response> {
    const { base_url, api_key } = await this.describe();
    const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json', ...init.headers };
    const response = await fetch(`${base_url}${route}`, { ...init, headers });
    const { status, headers: received } = response;
    assertDescribed(init.method ?? 'GET', route, { status, headers: received, body: await response.clone().json() });
    return response;
  }

  /** What a command of the operator prints for programs. */
  async kinora<Printed>(...command: string[]): Promise<Printed> {
    const env = { ...process.env, KINORA_DATA_DIR: this.dataDir };
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...command, '--json'], { env });
    return JSON.parse(stdout) as Printed;
  }

  /** A connection to its database that may read every schema, and ends with the stack. */
  async connect(): Promise<Client> {
    const database = new Client({ connectionString: (await this.describe()).database_url });
    await database.connect();
    this.connections.push(database);
    return database;
  }

  /** Ends the stack after its test. Whatever the test was about, the books must balance at its end. */
  async stop(): Promise<void> {
    await this.disconnect();
    if (this.launcher === null) return;
    let problems: string[] = [];
    const agree = async (): Promise<boolean> => (problems = await this.audit()).length === 0;
    const isRight = this.hasExited || (await waitUntil(agree, { timeoutMs: AGREED_WITHIN_MS }));
    await this.end();
    if (!isRight) throw new Error(`The books of the stack do not balance:\n${problems.join('\n')}`);
  }

  /** Ends the stack without a check of its books, and waits longer than its shutdown may take. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.disconnect();
    if (this.launcher !== null && !this.hasExited) {
      const exited = once(this.launcher, 'exit', { signal: AbortSignal.timeout(STOP_WITHIN_MS) });
      this.launcher.kill(signal);
      await exited;
    }
    // After a SIGKILL the orphaned PostgreSQL writes files until it notices that its parent is gone.
    if (this.ownsDataDir) await rm(this.dataDir, { recursive: true, force: true, maxRetries: 50 });
  }

  private async disconnect(): Promise<void> {
    for (const database of this.connections.splice(0)) await database.end();
  }

  private async audit(): Promise<string[]> {
    const { database_url: databaseUrl } = await this.describe();
    return await auditStack({ dataDir: this.dataDir, databaseUrl });
  }

  private async isReady(): Promise<boolean> {
    return this.describe().then(
      ({ pid }) => pid === this.launcher?.pid,
      () => false,
    );
  }
}

async function writeConfig(folder: string, files: Record<string, string | object>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files))
    await writeFile(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
}

async function startOnce(dataDir: string): Promise<void> {
  const stack = await LocalStack.start({ dataDir });
  await stack.end();
}
