import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { HttpsReceiver, RECEIVER_AUTHORITY_FILE, imagesOf, waitFor } from '@kinora/testing';
import type { WebhookEvent } from '@kinora/contracts/jobs/webhook-event';
import { LocalStack } from '../support/local-stack';
import { openAccount, verifyLedger } from '../support/operator';

const PROGRAM = path.resolve('dist/deploy/local/backup/main.js');
const IN_FLIGHT = 5;

describe('a backup of a running stack', () => {
  let folder: string;
  let receiver: HttpsReceiver;
  let env: NodeJS.ProcessEnv;
  let restored: LocalStack | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-backup-'));
    receiver = await HttpsReceiver.start();
    env = { KINORA_EGRESS_ALLOW: `127.0.0.1:${receiver.port}`, NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE };
  });

  afterAll(async () => {
    await restored?.stop();
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('holds everything that was accepted: restored with an empty broker, each job ends, the money is exact, and webhooks arrive', async () => {
    const dataDir = path.join(folder, 'lost');
    const backup = path.join(folder, 'backup');
    const stack = await LocalStack.start({ dataDir, env });
    const { client } = await openAccount(stack);
    const before = await client.balanceMicros();
    const webhook_url = `https://127.0.0.1:${receiver.port}/hook`;
    const image = { size: '512x512', webhook_url };
    const done = await client.generate({ ...image, prompt: 'done before' });
    const { charged_micros: price = 0 } = (await client.ended(done.id)).usage;
    const inFlight = await Promise.all(
      Array.from({ length: IN_FLIGHT }, (_, index) => client.generate({ ...image, prompt: `[[delay:4s]] ${index}` })),
    );
    await promisify(execFile)(process.execPath, [PROGRAM, backup], {
      env: { ...process.env, KINORA_DATA_DIR: dataDir },
    });
    await stack.end('SIGKILL');
    // No process reports when the orphaned PostgreSQL stops; until then it writes files.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 50 });

    restored = await LocalStack.start({ dataDir: backup, env });
    const again = client.at((await restored.describe()).base_url);
    const accepted = [done, ...inFlight];
    for (const { id } of accepted) expect(await again.ended(id, 60_000)).toMatchObject({ status: 'succeeded' });
    const paid = before - accepted.length * price;
    await waitFor(async () => (await again.balanceMicros()) === paid, { timeoutMs: 20_000 });
    await waitFor(() => accepted.every(({ id }) => eventsOf(receiver).has(id)), { timeoutMs: 60_000 });
    const stackNow = restored;
    await waitFor(async () => (await verifyLedger(stackNow)).ok, { timeoutMs: 20_000 });
    const file = await fetch(imagesOf(await again.ended(done.id))[0]?.url ?? '');
    // A body that is not read keeps its connection.
    expect([file.status, (await file.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
  }, 240_000);
});

function eventsOf({ requests }: HttpsReceiver): Set<string> {
  return new Set(requests.map(({ body }) => (JSON.parse(body.toString()) as WebhookEvent).data.object.id));
}
