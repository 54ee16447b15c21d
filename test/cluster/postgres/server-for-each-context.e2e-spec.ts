import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { HttpsReceiver, RECEIVER_AUTHORITY_FILE, closeAll, waitFor } from '@kinora/testing';
import { CONTEXTS_WITH_SCHEMA, type ContextWithSchema } from '../../../deploy/local/service-instance';
import { CrashingPostgres } from '../../faults/commits/crashing-postgres';
import { LocalStack } from '../../support/local-stack';
import { openAccount } from '../../support/operator';
import { verifyLedgerByCli } from '../../support/stack-books';

/** The first parameter of a connection's start (PostgreSQL's protocol, "StartupMessage"). */
const USER = /^user\0kinora_postgres_([^\0]+)\0/;
const PARAMETERS_AT = 8;

const schemaOf = (context: ContextWithSchema): string => context.replaceAll('-', '_');

/** One address, where each context's role reaches the server of that context. */
class RoleRouter {
  private readonly server = createServer((client) => client.once('data', (start) => this.join(client, start)));

  constructor(private readonly ports: ReadonlyMap<string, number>) {}

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket, start: Buffer): void {
    const [, schema = ''] = USER.exec(start.toString('latin1', PARAMETERS_AT)) ?? [];
    const server = connect(this.ports.get(schema) ?? 0, '127.0.0.1');
    server.write(start);
    client.pipe(server).pipe(client);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  }
}

describe('a stack with a PostgreSQL server for each context', () => {
  let folder: string;
  let administrators: CrashingPostgres;
  let router: RoleRouter | undefined;
  let stack: LocalStack;
  const servers = new Map<ContextWithSchema, CrashingPostgres>();

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-servers-'));
    await chmod(folder, 0o755);
    const dataDir = path.join(folder, 'stack');
    administrators = await CrashingPostgres.start(folder);
    await (await LocalStack.start({ dataDir, env: { DATABASE_URL: administrators.url } })).end();
    for (const context of CONTEXTS_WITH_SCHEMA) servers.set(context, await startServerOf(context));
    router = new RoleRouter(new Map([...servers].map(([context, { port }]) => [schemaOf(context), port])));
    const addresses = { DATABASE_URL: administrators.url, DATABASE_POOLER_ADDRESS: await router.listen() };
    const receivers = { KINORA_EGRESS_ALLOW: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE };
    stack = await LocalStack.start({ dataDir, env: { ...addresses, ...receivers } });
  }, 240_000);

  afterAll(async () => {
    await closeAll([
      async () => stack?.end(),
      async () => router?.close(),
      ...[administrators, ...servers.values()].map((server) => () => server.stop()),
      () => rm(folder, { recursive: true, force: true, maxRetries: 50 }),
    ]);
  }, 60_000);

  /** It holds no other schema. */
  async function startServerOf(context: ContextWithSchema): Promise<CrashingPostgres> {
    await mkdir(path.join(folder, context));
    const server = await administrators.startCopy(path.join(folder, context));
    const others = CONTEXTS_WITH_SCHEMA.filter((one) => one !== context).map(schemaOf);
    await ask(server, `DROP SCHEMA ${others.join(', ')} CASCADE`);
    return server;
  }

  async function ask(server: CrashingPostgres | undefined, sql: string): Promise<object[]> {
    const client = await server?.connect();
    const rows = (await client?.query<object>(sql))?.rows ?? [];
    await client?.end();
    return rows;
  }
  const countOf = (context: ContextWithSchema, table: string) =>
    ask(servers.get(context), `SELECT count(*)::int AS rows FROM ${schemaOf(context)}.${table}`);

  it('creates, moderates, charges and delivers', async () => {
    const receiver = await HttpsReceiver.start();
    const { client } = await openAccount(stack);
    const job = {
      model: 'fast-image',
      prompt: 'A harbour at dawn',
      webhook_url: `https://127.0.0.1:${receiver.port}/hooks`,
    };
    const { id } = await client.generate(job);
    expect(await client.ended(id)).toMatchObject({ status: 'succeeded' });
    await waitFor(() => receiver.requests.length === 1);
    await waitFor(async () => (await verifyLedgerByCli(stack.dataDir)).length === 0);
    expect(await countOf('jobs', 'job')).toEqual([{ rows: 1 }]);
    expect(await countOf('webhook-dispatcher', 'delivery')).toEqual([{ rows: 1 }]);
    expect(await ask(administrators, 'SELECT id FROM jobs.job')).toEqual([]);
    await receiver.close();
  }, 120_000);
});
