import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CRASH_POINTS, type CrashPoint } from '@kinora/service-kit';
import { waitFor } from '@kinora/testing';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import type { Client } from 'pg';
import type { Answer, ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';
import { balanceThroughFaults, createThroughFaults, endedThroughFaults, tryToCreate } from '../support/through-faults';

/** Makes a hold look older than any request can last; the sweep for such holds runs every 15 s. */
const AGE_HOLDS = `UPDATE billing.hold SET created_at = created_at - interval '1 minute' WHERE state = 'held'`;
/**
 * A job that loses several processes may rightly miss its deadline. This test needs the job to survive, so it extends the
 * deadline.
 */
const GIVE_TIME = `UPDATE jobs.job SET deadline_at = clock_timestamp() + interval '5 minutes' WHERE completed_at IS NULL`;
/** Longer than a start, shorter than the timeout of the service for a dead process. */
const IMPATIENT_MS = 3_000;

describe('a process that dies at a step of its work', () => {
  let stack: LocalStack;
  let database: Client;
  let folder: string;
  let orders: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-crashes-'));
    orders = path.join(folder, 'crash-at');
    // Two replicas of each: while one restarts, the test kills the other at the next point.
    stack = await LocalStack.start({
      smallImages: true,
      env: { CRASH_AT_FILE: orders, KINORA_REPLICAS: 'jobs=2,billing=2' },
    });
    database = await stack.connect();
  }, 120_000);

  afterAll(async () => {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Kills the next process that reaches the point, and creates jobs until one is accepted or the process has died. */
  async function dieAt(point: CrashPoint, create: () => Promise<Answer<Job> | null>): Promise<void> {
    // Written by a rename, because a service ignores an incomplete order.
    writeFileSync(`${orders}.new`, point);
    renameSync(`${orders}.new`, orders);
    const isDone = (): boolean => !existsSync(orders);
    const died = waitFor(isDone, { timeoutMs: 60_000 });
    const isCreated = async (): Promise<boolean> => [200, 202].includes((await create())?.status ?? 0);
    await waitFor(() => Promise.race([isCreated(), died]), { timeoutMs: 60_000 });
    await died;
  }

  it('loses no job, no money and no slot, whichever step that is', async () => {
    const orderOf = (point: CrashPoint) => ({
      key: point,
      body: { prompt: point.startsWith('billing.refund') ? '[[fail:error]] a lake' : 'a lake' },
    });
    const owners = new Map<CrashPoint, ApiClient>();
    for (const point of CRASH_POINTS) owners.set(point, (await openAccount(stack)).client);
    const clientOf = (point: CrashPoint): ApiClient => owners.get(point) as ApiClient;
    const before = await clientOf(CRASH_POINTS[0]).balanceMicros();

    for (const point of CRASH_POINTS) {
      const { key, body } = orderOf(point);
      await dieAt(point, () => tryToCreate(clientOf(point), key, body, IMPATIENT_MS));
      await database.query(GIVE_TIME);
    }

    const outcomes = CRASH_POINTS.map(async (point) => {
      const { key, body } = orderOf(point);
      const client = clientOf(point);
      const job = await endedThroughFaults(client, (await createThroughFaults(client, key, body)).id);
      const charged = job.usage.charged_micros;
      await waitFor(async () => (await balanceThroughFaults(client)) === before - charged, { timeoutMs: 30_000 });
      const { data } = (await client.get<JobList>('/jobs')).body;
      return [point, { jobs: data.length, status: job.status, isCharged: charged > 0 }] as const;
    });
    const succeeded = { jobs: 1, status: 'succeeded', isCharged: true };
    const failed = { jobs: 1, status: 'failed', isCharged: false };
    const expected = CRASH_POINTS.map((point) => [point, point.startsWith('billing.refund') ? failed : succeeded]);
    expect(Object.fromEntries(await Promise.all(outcomes))).toEqual(Object.fromEntries(expected));
    // An output is signed before it is stored, so that a crash in between leaves nothing that lacks its mark.
    const files = await filesIn(path.join(stack.dataDir, 'objects', 'outputs'));
    expect(files.length).toBeGreaterThanOrEqual(CRASH_POINTS.length - 3);
    for (const file of files) expect((await readFile(file)).includes('c2pa.signature')).toBe(true);
  }, 300_000);

  it('keeps an orphaned hold for at most two minutes, and releases none of a live job', async () => {
    const [orphan, living] = await Promise.all([openAccount(stack), openAccount(stack)]);
    const before = await orphan.client.balanceMicros();
    const job = await createThroughFaults(living.client, 'lives', { prompt: '[[delay:20s]] a lake' });
    // Without an idempotency key, no client can retry the request.
    await dieAt('jobs.accept.hold_reserved', () =>
      tryToCreate(orphan.client, null, { prompt: '[[fail:error]] a lake' }, IMPATIENT_MS),
    );
    expect(await orphan.client.balanceMicros()).toBeLessThan(before);
    await database.query(AGE_HOLDS);
    await waitFor(async () => (await balanceThroughFaults(orphan.client)) === before, { timeoutMs: 60_000 });
    expect(await living.client.balanceMicros()).toBe(before - job.usage.charged_micros);
    await living.client.post(`/jobs/${job.id}/cancel`);
    expect(await living.client.balanceMicros()).toBe(before);
  }, 120_000);
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
