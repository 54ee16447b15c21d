import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@kinora/testing';

const run = promisify(execFile);
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;
const READY_WITHIN_MS = 60_000;
/** The published ports are in the network of the daemon, where only this program asks. */
const FETCH = `
const [url, init] = JSON.parse(process.argv[1]);
const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
const body = Buffer.from(await response.arrayBuffer()).toString('base64');
console.log(JSON.stringify({ status: response.status, body }));`;

export interface Fetched {
  status: number;
  body: Buffer;
}

/** A daemon of Docker with a folder and a network of its own: it changes neither the firewall of this machine nor another daemon. */
export class DockerDaemon {
  private constructor(
    private readonly child: ChildProcess,
    readonly folder: string,
  ) {}

  static async start(): Promise<DockerDaemon> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-docker-'));
    const log = openSync(path.join(folder, 'log'), 'w');
    const places = ['--data-root', `${folder}/data`, '--exec-root', `${folder}/run`, '--pidfile', `${folder}/pid`];
    const args = ['sh', '-ec', 'ip link set lo up; exec dockerd "$@"', 'sh', ...places, '--host', socketIn(folder)];
    const child = spawn('unshare', ['--net', '--mount', ...args], { stdio: ['ignore', log, log] });
    closeSync(log);
    const daemon = new DockerDaemon(child, folder);
    try {
      await waitFor(() => daemon.answers(), { timeoutMs: READY_WITHIN_MS });
      return daemon;
    } catch (error) {
      throw new Error(`dockerd did not start:\n${await readFile(path.join(folder, 'log'), 'utf8')}`, { cause: error });
    }
  }

  /** Commands as a shell runs them, in a folder. They may end in an error, which has their output. */
  async shell(script: string, cwd: string): Promise<string> {
    const env = { ...process.env, DOCKER_HOST: socketIn(this.folder) };
    const options = { cwd, env, maxBuffer: OUTPUT_MAX_BYTES };
    const failed = (error: { stdout?: string; stderr?: string }): never => {
      throw new Error(`${script}\n${error.stdout}\n${error.stderr}`);
    };
    return (await run('sh', ['-ec', script], options).catch(failed)).stdout;
  }

  /** Requests a port that a container publishes. */
  async fetch(url: string, init: RequestInit = {}): Promise<Fetched> {
    const program = [process.execPath, '--input-type=module', '--eval', FETCH, JSON.stringify([url, init])];
    const network = `--net=/proc/${this.child.pid}/ns/net`;
    const { stdout } = await run('nsenter', [network, ...program], { maxBuffer: OUTPUT_MAX_BYTES });
    const { status, body } = JSON.parse(stdout) as { status: number; body: string };
    return { status, body: Buffer.from(body, 'base64') };
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    await rm(this.folder, { recursive: true, force: true, maxRetries: 50 });
  }

  private async answers(): Promise<boolean> {
    if (this.child.exitCode !== null) throw new Error('dockerd has ended.');
    return this.shell('docker info', '/').then(
      () => true,
      () => false,
    );
  }
}

function socketIn(folder: string): string {
  return `unix://${folder}/docker.sock`;
}
