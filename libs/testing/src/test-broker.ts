import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { cacheFolder } from '../../../deploy/local/data-folder';
import { findFreePorts } from '../../../deploy/local/free-ports';
import { type EmbeddedNatsOptions, natsConfig, startEmbeddedNats } from '../../../deploy/local/nats/nats-process';
import { RunningProcess } from '../../../deploy/local/processes/running-process';
import { untilReady } from '../../../deploy/local/processes/until-ready';
import { testEnvironment } from './test-servers.config';

const STOP_WITHIN_MS = 5_000;

/** A broker for one spec: other specs cannot receive its messages, and the spec may stop it. */
export class TestBroker {
  readonly url: string;
  private server: RunningProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly options: EmbeddedNatsOptions,
    private settings: string,
  ) {
    this.url = `nats://127.0.0.1:${options.port}`;
  }

  /** Additional settings, such as a password, are appended to the configuration of every test broker. */
  static async start(settings = ''): Promise<TestBroker> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-broker-'));
    const [port] = (await findFreePorts(1)) as [number];
    const env = testEnvironment();
    const options = {
      storeDir: path.join(folder, 'store'),
      configFile: path.join(folder, 'nats.conf'),
      logFile: path.join(folder, 'nats.log'),
      cacheDir: cacheFolder(env),
      port,
      env,
    };
    const broker = new TestBroker(folder, options, settings);
    await broker.startAgain();
    return broker;
  }

  get storeDir(): string {
    return this.options.storeDir;
  }

  /** Restarts it at the same address. */
  async startAgain(): Promise<void> {
    await startEmbeddedNats(this.options, async (spec) => {
      await appendFile(this.options.configFile, this.settings);
      this.server = await RunningProcess.start(spec);
      await untilReady(spec, this.server);
    });
  }

  /** Replaces the additional settings while it runs, as an operator changes the permissions of users. */
  async reload(settings: string): Promise<void> {
    this.settings = settings;
    const { configFile, port, storeDir } = this.options;
    await writeFile(configFile, natsConfig(port, storeDir) + settings);
    this.signal('SIGHUP');
  }

  /** Makes it hang: connections stay open, but get no answers. */
  pause(): void {
    this.signal('SIGSTOP');
  }

  resume(): void {
    this.signal('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.server?.stop(STOP_WITHIN_MS);
  }

  /** Deletes its store while it is stopped. */
  async wipe(): Promise<void> {
    await rm(this.options.storeDir, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private signal(name: NodeJS.Signals): void {
    if (this.server) process.kill(this.server.pid, name);
  }
}

type Connect = (this: Socket, ...args: unknown[]) => Socket;

/** Records each TCP connection that this process begins, as `host:port`: proof that no connection was attempted. */
export class ConnectionWatch {
  readonly attempts: string[] = [];
  private readonly connect: Connect;

  constructor() {
    // The one method with which plain and TLS sockets begin. No event or diagnostics channel covers both.
    const prototype = Socket.prototype as unknown as { connect: Connect };
    const { attempts } = this;
    const original = (this.connect = prototype.connect);
    prototype.connect = function (...args) {
      attempts.push(describeTarget(args[0]));
      return original.apply(this, args);
    };
  }

  close(): void {
    (Socket.prototype as unknown as { connect: Connect }).connect = this.connect;
  }
}

/** `net.connect` passes its arguments on as one list. */
function describeTarget(argument: unknown): string {
  const [target] = [argument].flat() as [{ host?: string; port?: number; path?: string }];
  return target.path ?? `${target.host ?? 'localhost'}:${target.port}`;
}
