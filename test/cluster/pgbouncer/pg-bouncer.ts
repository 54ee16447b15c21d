import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { findFreePorts } from '../../../deploy/local/free-ports';
import { fetchDebianProgram } from '../../../deploy/local/nats/debian-package';
import { postgresUser } from '../../../deploy/local/postgres/postgres-binaries';
import { RunningProcess } from '../../../deploy/local/processes/running-process';
import { untilReady } from '../../../deploy/local/processes/until-ready';

const PROGRAM = 'pgbouncer';
const SYSTEM_FOLDER = '/usr/sbin';
const LIBRARIES = 'usr/lib/x86_64-linux-gnu';
const STOP_WITHIN_MS = 5_000;

export interface PgBouncerOptions {
  /** The administrator's address of the PostgreSQL behind it. */
  databaseUrl: string;
  poolMode: 'session' | 'transaction';
  /** Further lines of its configuration. */
  settings?: string[];
}

/** Debian's PgBouncer in front of a PostgreSQL on loopback. It reads the passwords of roles from the server. */
export class PgBouncer {
  private constructor(
    private readonly process: RunningProcess,
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start({ databaseUrl, poolMode, settings = [] }: PgBouncerOptions): Promise<PgBouncer> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-pgbouncer-'));
    const [port] = (await findFreePorts(1)) as [number];
    const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
    const user = postgresUser();
    await writeFile(path.join(folder, 'users.txt'), `"${username}" "${password}"\n`);
    const lines = [
      '[databases]',
      `* = host=${hostname} port=${serverPort}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      `pool_mode = ${poolMode}`,
      'auth_type = scram-sha-256',
      `auth_file = ${folder}/users.txt`,
      `auth_user = ${username}`,
      'auth_query = SELECT usename, passwd FROM pg_shadow WHERE usename = $1',
      // Fewer than the connections of the services, so that transactions of several sessions share each one.
      'default_pool_size = 6',
      'max_client_conn = 500',
      ...settings,
    ];
    await writeFile(path.join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
    await chmod(folder, 0o755);
    if (user) await chown(folder, user.uid, user.gid);
    const { command, libraries } = await findProgram(folder);
    const spec = {
      name: 'pgbouncer',
      command,
      args: [path.join(folder, 'pgbouncer.ini')],
      env: { ...process.env, LD_LIBRARY_PATH: libraries },
      logFile: path.join(folder, 'pgbouncer.log'),
      stopSignal: 'SIGINT' as const,
      isReady: () => accepts(port),
      ...(user && { user }),
    };
    const running = await RunningProcess.start(spec);
    await untilReady(spec, running);
    return new PgBouncer(running, folder, port);
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    await this.process.stop(STOP_WITHIN_MS);
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The one on the `PATH` or installed, or else one unpacked from Debian's packages, with the library that a slim image lacks. */
async function findProgram(folder: string): Promise<{ command: string; libraries: string }> {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), SYSTEM_FOLDER];
  const installed = folders.map((each) => path.join(each, PROGRAM)).find(existsSync);
  if (installed !== undefined) return { command: installed, libraries: '' };
  const fetch = async (packageName: string, program: string): Promise<string> => {
    const into = path.join(folder, packageName);
    await mkdir(into);
    return await fetchDebianProgram({ packageName, program }, into);
  };
  const command = await fetch(PROGRAM, `usr/sbin/${PROGRAM}`);
  const libraries = [await fetch('libc-ares2', LIBRARIES), await fetch('libevent-2.1-7', LIBRARIES)];
  return { command, libraries: libraries.join(':') };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
