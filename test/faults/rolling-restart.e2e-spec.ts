import { HttpsReceiver, RECEIVER_AUTHORITY_FILE, waitFor } from '@kinora/testing';
import type { Client } from 'pg';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';
import { ServiceBalancer } from '../support/service-balancer';
import { SteadyClient } from '../support/steady-client';
import { WatchedSandbox } from '../support/watched-sandbox';

const SERVICES = ['gateway', 'jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher'];
const REPLICAS = SERVICES.map((service) => `${service}=2`).join();
const CLIENTS = 4;
/** The least number of jobs that each client creates before, between and after the two rounds of restarts. */
const JOBS_A_CLIENT = 5;
const OPEN_JOBS = 'SELECT id FROM jobs.job WHERE completed_at IS NULL';
const JOBS_OF = 'SELECT id FROM jobs.job WHERE account_id = $1';

describe('a rolling restart of every service under load', () => {
  let sandbox: WatchedSandbox;
  let receiver: HttpsReceiver;
  let stack: LocalStack;
  let balancer: ServiceBalancer;
  let database: Client;

  beforeAll(async () => {
    [sandbox, receiver] = await Promise.all([WatchedSandbox.start(100), HttpsReceiver.start()]);
    stack = await LocalStack.start({
      env: {
        KINORA_REPLICAS: REPLICAS,
        KINORA_CONFIG_DIR: sandbox.configDir,
        KINORA_STOP_DELAY_SECONDS: '2',
        KINORA_EGRESS_ALLOW: '127.0.0.0/8',
        NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE,
      },
    });
    await sandbox.watch(stack);
    balancer = await ServiceBalancer.start(stack);
    database = await stack.connect();
  }, 120_000);

  afterAll(async () => {
    await balancer.close();
    await stack.stop();
    await Promise.all([sandbox.close(), receiver.close()]);
  });

  /** Restarts one process of each service at a time, as an upgrade does; the next round starts when all are ready again. */
  async function restart(names: string[]): Promise<void> {
    const before = (await stack.describe()).processes;
    for (const name of names) process.kill(before[name]?.pid ?? 0, 'SIGTERM');
    for (const name of names) await waitFor(() => isBack(name, before[name]?.pid), { timeoutMs: 60_000 });
  }

  async function isBack(name: string, oldPid: number | undefined): Promise<boolean> {
    const { pid, health_url } = (await stack.describe()).processes[name] ?? { pid: 0, health_url: '' };
    return pid !== oldPid && (await fetch(health_url).catch(() => null))?.status === 200;
  }

  it('loses no request, no job and no webhook, and does nothing twice', async () => {
    // The slower the restarts, the more jobs the clients create meanwhile.
    const { accountId, apiKey } = await openAccount(stack, { balance_micros: 1_000_000_000 });
    const webhook_url = `https://127.0.0.1:${receiver.port}/hook`;
    // All jobs stay in flight for a while. Few are drawn, because drawing costs the machine far more.
    const bodyOf = (index: number) => ({
      prompt: index % 15 === 3 ? '[[delay:1s]] a lake' : '[[delay:1s]] [[fail:error]] a lake',
      size: '512x512',
      webhook_url,
    });
    const clients = Array.from(
      { length: CLIENTS },
      (_, index) => new SteadyClient({ baseUrl: balancer.baseUrl, apiKey, name: `client-${index}`, bodyOf }),
    );
    const oneRoundMore = async (): Promise<void> => {
      const before = clients.map(({ accepted }) => accepted.length);
      const isDone = (): boolean =>
        clients.every(({ accepted }, index) => accepted.length >= (before[index] ?? 0) + JOBS_A_CLIENT);
      await waitFor(isDone, { timeoutMs: 60_000 });
    };
    await oneRoundMore();
    await restart(SERVICES);
    await oneRoundMore();
    await restart(SERVICES.map((service) => `${service}-2`));
    await oneRoundMore();
    await Promise.all(clients.map((client) => client.stop()));

    expect(clients.flatMap(({ losses }) => losses)).toEqual([]);
    const accepted = clients.flatMap(({ accepted: ids }) => ids).sort();
    await waitFor(async () => (await database.query(OPEN_JOBS)).rowCount === 0, { timeoutMs: 120_000 });
    const { rows } = await database.query<{ id: string }>(JOBS_OF, [accountId]);
    expect(rows.map(({ id }) => id).sort()).toEqual(accepted);
    await waitFor(() => receiver.requests.length >= accepted.length, { timeoutMs: 30_000 });
    expect(jobsDeliveredTo(receiver).sort()).toEqual(accepted);
    const tasks = sandbox.submissions.map(({ id }) => id);
    expect([tasks.length, new Set(tasks).size]).toEqual([accepted.length, accepted.length]);
  }, 360_000);
});

function jobsDeliveredTo(receiver: HttpsReceiver): string[] {
  return receiver.requests.map(({ body }) => {
    const event = JSON.parse(body.toString()) as { data: { object: { id: string } } };
    return event.data.object.id;
  });
}
