import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { HttpsReceiver, RECEIVER_AUTHORITY_FILE, waitFor } from '@kinora/testing';
import { Client } from 'pg';
import { LocalStack } from '../support/local-stack';

const SEED = path.resolve('dist/deploy/local/seed/seed.js');
/** The fields of a delivery that this test reads. */
interface Delivery {
  status: string;
  attempts: number;
}

const CLI = path.resolve('dist/apps/cli/src/main.js');
/** The jobs in flight end after a minute and would then rightly be made anew, which this test takes for a repetition. */
const GIVE_TIME = `UPDATE jobs.job SET deadline_at = clock_timestamp() + interval '10 minutes' WHERE completed_at IS NULL`;

describe('npm run seed', () => {
  let stack: LocalStack;
  let receiver: HttpsReceiver;

  beforeAll(async () => {
    receiver = await HttpsReceiver.start();
    stack = await LocalStack.start({
      env: {
        KINORA_EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
        NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE,
      },
    });
  });

  afterAll(async () => {
    await stack.end();
    await receiver.close();
  });

  it('creates accounts with keys, and jobs and deliveries in every state, only once over several runs', async () => {
    const first = await seed();
    await giveTime();
    for (const status of ['queued', 'processing', 'succeeded', 'failed', 'canceled']) {
      expect(first).toMatch(new RegExp(`^[0-9a-f-]{36}  ${status} `, 'm'));
    }
    expect(first.match(/^[0-9a-f-]{36} {2}Seed .* knr_live_\w+$/gm)).toHaveLength(4);
    const [, blocked = ''] = /^([0-9a-f-]{36}) {2}failed +blocked output$/m.exec(first) ?? [];
    expect(await kinora('job', 'show', blocked)).toMatchObject({ job: { error: { code: 'content_blocked_output' } } });
    const [, paused = ''] = /^([0-9a-f-]{36}) {2}Seed paused/m.exec(first) ?? [];
    expect(await kinora('account', 'show', paused)).toMatchObject({ status: 'paused' });
    const [, owner = ''] = /^([0-9a-f-]{36}) {2}Seed Northlight/m.exec(first) ?? [];
    await waitFor(async () => {
      const { data } = (await kinora('webhook', 'list', '--account', owner)) as { data: Delivery[] };
      const states = data.map(({ status, attempts }) => `${status} ${attempts}`).sort();
      return /^delivered 1,exhausted 6,pending [1-5]$/.test(states.join());
    });

    const idsOf = (printed: string) => printed.match(/^[0-9a-f-]{36} {2}(?!delivered|pending|exhausted).*$/gm);
    expect(idsOf(await seed())).toEqual(idsOf(first));
  }, 360_000);

  const environment = (): NodeJS.ProcessEnv => ({ ...process.env, KINORA_DATA_DIR: stack.dataDir });

  async function seed(): Promise<string> {
    const args = [SEED, '--receiver', `https://127.0.0.1:${receiver.port}/events`];
    return (await promisify(execFile)(process.execPath, args, { env: environment() })).stdout;
  }

  async function giveTime(): Promise<void> {
    const database = new Client({ connectionString: (await stack.describe()).database_url });
    await database.connect();
    try {
      await database.query(GIVE_TIME);
    } finally {
      await database.end();
    }
  }

  async function kinora(...args: string[]): Promise<unknown> {
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args, '--json'], { env: environment() });
    return JSON.parse(stdout) as unknown;
  }
});
