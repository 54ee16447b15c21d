import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { closeAll, waitFor } from '@kinora/testing';
import { copyTree } from '../../../deploy/local/backup/copy-tree';
import { CrashingPostgres } from '../../faults/commits/crashing-postgres';
import type { ApiClient } from '../../support/api-client';
import { LocalStack } from '../../support/local-stack';
import { openAccount } from '../../support/operator';
import { SteadyClient } from '../../support/steady-client';
import { endedThroughFaults } from '../../support/through-faults';
import { SmallDisk } from '../small-disk';

const DISK = '512m';
const CLIENTS = 4;
/** Accepted jobs before the disk is full and after it has room again. */
const JOBS = 20;
/** Temporary refusals of creates while the disk is full. */
const REFUSALS = 20;

describe('a stack whose PostgreSQL has a full disk', () => {
  let folder: string;
  let disk: SmallDisk;
  let postgres: CrashingPostgres;
  let stack: LocalStack | undefined;
  let account: ApiClient;
  let clients: SteadyClient[];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-full-disk-'));
    // PostgreSQL runs as another user, and follows the link to its log from here.
    await chmod(folder, 0o755);
    disk = await SmallDisk.mount(path.join(folder, 'disk'), DISK);
    postgres = await CrashingPostgres.start(disk.folder);
  });

  afterEach(async () => {
    await closeAll([
      async () => stack?.stop(),
      () => postgres.stop(),
      () => disk.unmount(),
      () => rm(folder, { recursive: true, force: true, maxRetries: 50 }),
    ]);
  }, 60_000);

  /** The write-ahead log lies on another disk, as in many installations. */
  async function moveLog(): Promise<void> {
    await postgres.stop();
    const [from, to] = [path.join(disk.folder, 'data/pg_wal'), path.join(folder, 'pg_wal')];
    await copyTree(from, to, () => true);
    await rm(from, { recursive: true });
    await symlink(to, from);
    await postgres.start();
  }

  async function startLoad(): Promise<void> {
    stack = await LocalStack.start({ env: { DATABASE_URL: postgres.url } });
    const { client, apiKey } = await openAccount(stack);
    account = client;
    clients = Array.from(
      { length: CLIENTS },
      (_, index) =>
        new SteadyClient({
          baseUrl: client.baseUrl,
          apiKey,
          name: `client-${index}`,
          bodyOf: (job) => ({ prompt: `a harbour, number ${job}`, size: '512x512' }),
        }),
    );
    await untilAccepted(JOBS);
  }

  const accepted = (): string[] => clients.flatMap((client) => client.accepted);
  const refusals = (): number => clients.reduce((sum, client) => sum + client.refusals, 0);

  async function untilAccepted(count: number): Promise<void> {
    const before = accepted().length;
    await waitFor(() => accepted().length >= before + count, { timeoutMs: 60_000 });
  }

  async function fillUntilRefused(): Promise<void> {
    const before = refusals();
    await disk.fillUntil(() => refusals() >= before + REFUSALS);
  }

  /** Every request was answered by its job or by a 503 with `Retry-After`, and every accepted job succeeds. */
  async function expectNothingLost(): Promise<void> {
    await untilAccepted(JOBS);
    await Promise.all(clients.map((client) => client.stop()));
    expect(clients.flatMap(({ losses }) => losses)).toEqual([]);
    const ended = await Promise.all(accepted().map((id) => endedThroughFaults(account, id)));
    expect(ended.filter(({ status }) => status !== 'succeeded')).toEqual([]);
  }

  it('refuses creates with 503 while tables cannot grow, and goes on by itself when there is room', async () => {
    await moveLog();
    await startLoad();
    await fillUntilRefused();
    await disk.makeRoom();
    await expectNothingLost();
  }, 240_000);

  it('loses nothing where the server ends without room for its log, and is started when there is room', async () => {
    await startLoad();
    await fillUntilRefused();
    await disk.makeRoom();
    await postgres.stop();
    await postgres.start();
    await expectNothingLost();
  }, 240_000);
});
