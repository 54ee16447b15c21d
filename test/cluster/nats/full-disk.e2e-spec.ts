import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { closeAll, waitFor } from '@kinora/testing';
import type { Client } from 'pg';
import { cacheFolder } from '../../../deploy/local/data-folder';
import { findFreePorts } from '../../../deploy/local/free-ports';
import { findNatsBinary } from '../../../deploy/local/nats/nats-binary';
import { natsProcess } from '../../../deploy/local/nats/nats-process';
import { RunningProcess } from '../../../deploy/local/processes/running-process';
import { untilReady } from '../../../deploy/local/processes/until-ready';
import type { ApiClient } from '../../support/api-client';
import { LocalStack } from '../../support/local-stack';
import { openAccount } from '../../support/operator';
import { endedThroughFaults } from '../../support/through-faults';
import { SmallDisk } from '../small-disk';
import { STACK_CREDENTIALS, USERS, natsCommands, runNatsCommand } from './administrator';
import { Load } from './load';

const DISK = '64m';
const CLIENTS = 4;
/** Accepted jobs before the disk is full, while it is, and after it. */
const JOBS = 20;
const STOP_WITHIN_MS = 20_000;
const SENT_WITHIN_MS = 60_000;

describe('a stack whose NATS has a full disk', () => {
  let folder: string;
  let disk: SmallDisk;
  let server: RunningProcess;
  let ports: number[];
  let stack: LocalStack;
  let database: Client;
  let client: ApiClient;
  let load: Load;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-nats-disk-'));
    disk = await SmallDisk.mount(path.join(folder, 'disk'), DISK);
    ports = await findFreePorts(2);
    await startServer();
    stack = await LocalStack.start({ env: { NATS_URL: `nats://${STACK_CREDENTIALS}@127.0.0.1:${ports[0]}` } });
    database = await stack.connect();
    client = (await openAccount(stack, { balance_micros: 1_000_000_000 })).client;
  }, 120_000);

  afterAll(async () => {
    await closeAll([
      () => stack.stop(),
      () => server.stop(STOP_WITHIN_MS),
      () => disk.unmount(),
      () => rm(folder, { recursive: true, force: true }),
    ]);
  }, 60_000);

  async function startServer(): Promise<void> {
    const [port, monitorPort] = ports as [number, number];
    const configFile = path.join(folder, 'nats.conf');
    // Without a limit of its own the server takes three quarters of the disk, which is less than the stream may hold.
    const store = `store_dir: ${JSON.stringify(disk.folder)}, max_file_store: 2GB`;
    const lines = [`listen: "127.0.0.1:${port}"`, `http: "127.0.0.1:${monitorPort}"`, 'max_payload: 8MB'];
    await writeFile(configFile, `${lines.join('\n')}\njetstream { ${store} }\n${USERS}`);
    const binary = await findNatsBinary({ cacheDir: cacheFolder(process.env), env: process.env });
    const spec = natsProcess({ binary, configFile, port, logFile: path.join(folder, 'nats.log'), env: process.env });
    server = await RunningProcess.start(spec);
    await untilReady(spec, server);
  }

  async function isHealthy(): Promise<boolean> {
    return (await fetch(`http://127.0.0.1:${ports[1]}/healthz`)).ok;
  }

  async function waitingEvents(): Promise<number> {
    const { rows } = await database.query<{ count: number }>('SELECT count(*)::integer AS count FROM jobs.outbox');
    return rows[0]?.count ?? 0;
  }

  it('accepts and ends jobs, keeps their events, and sends them after room and a restart of the server', async () => {
    // Drawing would take more time than the load gives it.
    load = new Load(client, { prompt: '[[fail:error]] a harbour' }, CLIENTS);
    await load.accept(JOBS);
    await disk.fillUntil(async () => !(await isHealthy()));
    await load.accept(JOBS);
    await waitFor(async () => (await waitingEvents()) > JOBS);

    await disk.makeRoom();
    await load.accept(JOBS);
    // Room alone is no cure, which is why the runbook restarts the server.
    expect({ isHealthy: await isHealthy(), waits: (await waitingEvents()) > JOBS }).toEqual({
      isHealthy: false,
      waits: true,
    });
    await server.stop(STOP_WITHIN_MS);
    await startServer();
    expect(await isHealthy()).toBe(true);
    await load.accept(JOBS);
    await load.stop();

    expect(load.losses).toEqual([]);
    for (const id of load.accepted) await endedThroughFaults(client, id);
    await waitFor(async () => (await waitingEvents()) === 0, { timeoutMs: SENT_WITHIN_MS });
    const [show = ''] = (await natsCommands()).filter((command) => command.endsWith(' stream info KINORA_EVENTS'));
    expect(await runNatsCommand(show, ports[0] ?? 0)).toMatch(/Messages: [1-9]/);
  }, 240_000);
});
