import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { findFreePorts } from '../../../deploy/local/free-ports';
import { waitUntil } from '../../../deploy/local/wait-until';

const READY_WITHIN_MS = 10_000;
/** Like PostgreSQL with synchronous_commit: a reply means that the job is on disk. By default Redis may lose a second. */
const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];

/** Debian's Redis (`apt-get install redis-server`) on a free loopback port, in a folder of its own. */
export class RedisServer {
  private constructor(
    private readonly server: ChildProcess,
    private readonly folder: string,
    readonly port: number,
  ) {}

  /** @returns null where there is no `redis-server` on the path. */
  static async start(): Promise<RedisServer | null> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-bench-redis-'));
    const [port] = (await findFreePorts(1)) as [number];
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...DURABLE];
    const server = spawn('redis-server', args, { stdio: 'ignore' });
    const isMissing = once(server, 'error').then(() => true);
    const isReady = waitUntil(() => answers(port), { timeoutMs: READY_WITHIN_MS });
    if (await Promise.race([isMissing, isReady.then((ready) => !ready)])) {
      server.kill();
      await rm(folder, { recursive: true });
      return null;
    }
    return new RedisServer(server, folder, port);
  }

  async stop(): Promise<void> {
    const exited = once(this.server, 'exit');
    this.server.kill();
    await exited;
    await rm(this.folder, { recursive: true });
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });
}
