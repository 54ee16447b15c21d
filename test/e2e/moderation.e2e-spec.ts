import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { imagesOf, waitFor } from '@kinora/testing';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import type { Appeal } from '@kinora/contracts/moderation/appeals.rpc';
import type { DecisionDetails, StrikeDetails } from '@kinora/contracts/moderation/moderation-admin.rpc';
import type { Client } from 'pg';
import sharp from 'sharp';
import { httpAnswering } from '../../apps/moderation/test/engine-answers.fixtures';
import { readImageCanaries } from '../../apps/moderation/src/image/image-canary';
import { type Answer, FakeEngine, NONSENSE } from '../../apps/moderation/test/fake-engine.fixtures';
import type { ApiClient, ErrorBody } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';
import { endedThroughFaults, tryToCreate } from '../support/through-faults';
import { dataUri } from './conformance/images';

const BLOCKED_PROMPT = 'a KINORA-MODERATION-TEST-BLOCK boat';
const BLOCKED_OUTPUT = '[[output:blocked]] a boat';
/** The final status of a job; with any other prompt it is `succeeded`. */
const ENDS: Record<string, string> = { [BLOCKED_PROMPT]: 'refused', [BLOCKED_OUTPUT]: 'failed' };
const STRIKES = 5;
/** Responses that resemble those of this classifier and are invalid. */
const HALF_ANSWERS: Record<string, Answer> = {
  'a score outside of the scale': httpAnswering({ scores: { risk: 7 } }),
  'a score that is not a number': httpAnswering({ scores: { risk: 'NaN' } }),
  'no verdict': httpAnswering({ verdict: undefined }),
  'a response about another input': httpAnswering({ content_sha256: '0'.repeat(64) }),
};

/** The peak of a process's resident memory, from Linux's `/proc`; null on other systems. */
async function peakMemoryMb(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1_024);
}

describe('moderation, end to end', () => {
  let engine: FakeEngine;
  let stack: LocalStack;
  let database: Client;
  let client: ApiClient;
  let accountId: string;
  /** 67 MB of pixels in 300 KB. */
  let largeImage: string;

  beforeAll(async () => {
    const solid = { width: 4096, height: 4096, channels: 4 as const, background: '#c8141480' };
    largeImage = dataUri(await sharp({ create: solid }).png().toBuffer());
    engine = await FakeEngine.start();
    engine.answer = httpAnswering();
    const entry = { type: 'http', url: `${engine.url}/judge`, timeout_ms: 1_000 };
    stack = await LocalStack.start({ config: { 'moderation.yaml': { engines: [entry] } } });
    database = await stack.connect();
  }, 120_000);

  afterAll(async () => {
    await stack.stop();
    await engine.close();
  });

  beforeEach(async () => {
    engine.answer = httpAnswering();
    ({ client, accountId } = await openAccount(stack));
  });

  const create = (prompt: string, on = client) =>
    on.post<Job & ErrorBody>('/images/generations', { prompt, size: '512x512' });
  const rowsOf = async (table: string): Promise<number> =>
    (await database.query(`SELECT FROM ${table} WHERE account_id = $1`, [accountId])).rowCount ?? 0;
  const filesOf = async (jobId: string): Promise<string[]> =>
    (await readdir(path.join(stack.dataDir, 'objects'), { recursive: true })).filter(
      (file) => file.includes(jobId) && path.extname(file) !== '',
    );
  /** Every public response about the job until it ends. */
  async function watchToItsEnd(id: string): Promise<Job[]> {
    const seen: Job[] = [];
    await waitFor(async () => seen[seen.push(await client.job(id)) - 1]?.completed_at !== null, { timeoutMs: 60_000 });
    return seen;
  }
  /** Waits until the gate calls the engine again, so that its circuit breaker is closed for the next case. */
  async function engineIsCalledAgain(): Promise<void> {
    engine.answer = httpAnswering();
    engine.received.splice(0);
    await waitFor(async () => (await create(BLOCKED_PROMPT)).status === 422 && engine.received.length > 0, {
      timeoutMs: 45_000,
    });
  }

  it('answers 503 and reserves nothing while an engine returns invalid responses, and still blocks known terms', async () => {
    for (const [what, nonsense] of Object.entries({ ...NONSENSE, ...HALF_ANSWERS })) {
      await engineIsCalledAgain();
      engine.answer = nonsense;
      engine.received.splice(0);

      const refused = await create('a red boat');

      expect([what, refused.status, refused.body.error.code]).toEqual([what, 503, 'capacity']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect([what, engine.received.length > 0]).toEqual([what, true]);
    }
    expect((await create(BLOCKED_PROMPT)).status).toBe(422);

    expect((await client.get<JobList>('/jobs')).body.data).toEqual([]);
    expect(await rowsOf('billing.hold')).toBe(0);
    await engineIsCalledAgain();
    const { status, body } = await create('a red boat');
    expect(status).toBe(202);
    expect(await client.ended(body.id)).toMatchObject({ status: 'succeeded' });
  }, 180_000);

  it('retries the screening of an output, and refunds the job at its deadline', async () => {
    const balance = await client.balanceMicros();
    const fine = httpAnswering();
    engine.answer = (response, received) =>
      received.body['type'] === 'image' ? response.destroy() : fine(response, received);
    engine.received.splice(0);
    const images = () => engine.received.filter(({ body }) => body['type'] === 'image').length;
    const { body: job } = await create('a green boat');
    const problem = async () =>
      (await database.query<{ problem: string }>('SELECT problem FROM jobs.attempt WHERE job_id = $1', [job.id]))
        .rows[0]?.problem;
    await waitFor(async () => images() >= 2 && (await problem()) === 'capacity', { timeoutMs: 60_000 });
    expect(await client.job(job.id)).toMatchObject({ output: null, moderation: { status: 'pending' } });

    await database.query('UPDATE jobs.job SET deadline_at = clock_timestamp() WHERE id = $1', [job.id]);

    expect(await client.ended(job.id)).toMatchObject({ status: 'failed', error: { code: 'capacity' }, output: null });
    await waitFor(async () => (await client.balanceMicros()) === balance);
    await waitFor(async () => (await filesOf(job.id)).length === 0, { timeoutMs: 60_000 });
  }, 120_000);

  it('shows a blocked output to no client, deletes its bytes, and suspends the account at the fifth strike', async () => {
    await engineIsCalledAgain();
    const balance = await client.balanceMicros();
    const accepted = await Promise.all(Array.from({ length: STRIKES }, () => create(BLOCKED_OUTPUT)));

    for (const { id } of accepted.map(({ body }) => body)) {
      const seen = await watchToItsEnd(id);
      expect(seen.at(-1)).toMatchObject({
        error: { code: 'content_blocked_output' },
        moderation: { status: 'blocked' },
      });
      expect(seen.flatMap(imagesOf)).toEqual([]);
      await waitFor(async () => (await filesOf(id)).length === 0, { timeoutMs: 60_000 });
    }

    const suspended = await waitFor(async () => {
      const answer = await create(BLOCKED_PROMPT);
      return answer.status === 403 && answer;
    });
    expect(suspended.body.error.code).toBe('account_suspended');
    await waitFor(async () => (await client.balanceMicros()) === balance);
    const { data } = await stack.kinora<{ data: StrikeDetails[] }>('strike', 'list', '--account', accountId);
    expect(data).toHaveLength(STRIKES);
    await stack.kinora('strike', 'lift', data[0]?.strike_id ?? '', '--reason', 'seen by a person');
    const reinstated = await waitFor(async () => {
      const answer = await create('a red boat');
      return answer.status === 202 && answer;
    });
    // The screening of its output must not reach the engine during the next test.
    expect(await client.ended(reinstated.body.id)).toMatchObject({ status: 'succeeded' });
  }, 180_000);

  it('cancels the waiting and running jobs of an account within 5 s of its suspension, and takes an appeal', async () => {
    await engineIsCalledAgain();
    const balance = await client.balanceMicros();
    const [running, waiting] = [await create('[[delay:50s]] a boat'), await create('[[fail:capacity]] a boat')];
    await waitFor(async () => (await client.job(running.body.id)).status === 'processing', { timeoutMs: 30_000 });
    const blocked = await Promise.all(Array.from({ length: STRIKES }, () => create(BLOCKED_OUTPUT)));
    await waitFor(async () => (await create(BLOCKED_PROMPT)).status === 403, { timeoutMs: 60_000 });

    for (const { body } of [running, waiting])
      await waitFor(async () => (await client.job(body.id)).status === 'canceled', { timeoutMs: 5_000 });
    await Promise.all(blocked.map(({ body }) => watchToItsEnd(body.id)));
    await waitFor(async () => (await client.balanceMicros()) === balance);

    const job = await client.job(blocked[0]?.body.id ?? '');
    const { body: appeal } = await client.post<Appeal>(`/jobs/${job.id}/appeal`, { text: 'It is a test picture.' });
    expect(appeal).toMatchObject({ object: 'appeal', job_id: job.id, status: 'open' });
    expect(job.error?.message).toContain(`(listed content, decision ${appeal.decision_id})`);
    const decision = await stack.kinora<DecisionDetails>('decision', 'show', appeal.decision_id);
    expect(decision).toMatchObject({ job_id: job.id, stage: 'output', engine: 'hash' });
  }, 180_000);

  it('answers 402 to an account with an empty wallet before an image is stored or screened', async () => {
    const poor = await openAccount(stack, { balance_micros: 0 });
    accountId = poor.accountId;
    const objects = path.join(stack.dataDir, 'objects');
    const inputs = async () =>
      (await readdir(objects, { recursive: true })).filter((file) => file.startsWith('inputs/')).length;
    const before = await inputs();
    engine.received.splice(0);
    const images = Array.from({ length: 3 }, () => largeImage);

    const edits = Array.from({ length: 5 }, () =>
      poor.client.post<ErrorBody>('/images/edits', { prompt: 'brighter', images }),
    );
    const video = poor.client.post<ErrorBody>('/videos/generations', { prompt: 'waves', image: largeImage });

    for (const { status, body } of await Promise.all([...edits, video]))
      expect([status, body.error.code]).toEqual([402, 'insufficient_balance']);
    expect(engine.received).toEqual([]);
    expect(await rowsOf('moderation.decision')).toBe(0);
    expect(await inputs()).toBe(before);
  });

  it('shows an operator what each threshold would block of labelled images', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-labels-'));
    await mkdir(path.join(folder, 'field'));
    await mkdir(path.join(folder, 'plain'));
    const canary = (await readImageCanaries()).at(-1)?.bytes ?? Buffer.alloc(0);
    await writeFile(path.join(folder, 'field', 'one.png'), canary);
    const plain = sharp({ create: { width: 320, height: 200, channels: 3, background: '#336699' } });
    await plain.png().toFile(path.join(folder, 'plain', 'one.png'));
    await writeFile(path.join(folder, 'plain', 'notes.txt'), 'no image');
    const evaluated = stack.kinora<{ thresholds: number[]; labels: object[] }>('moderation', 'evaluate', folder);
    const { thresholds, labels } = await evaluated;
    const all = thresholds.map(() => 1);
    expect(labels).toEqual([
      { label: 'field', images: 1, unreadable: 0, median_ms: expect.any(Number), blocked: all },
      { label: 'plain', images: 2, unreadable: 1, median_ms: expect.any(Number), blocked: all.map(() => 0) },
    ]);
    await rm(folder, { recursive: true });
  });

  it('passes no unscreened content while it is killed under load', async () => {
    await engineIsCalledAgain();
    const prompts = Array.from({ length: STRIKES - 1 }, (_, index) => [
      BLOCKED_PROMPT,
      BLOCKED_OUTPUT,
      `boat ${index}`,
    ]).flat();
    const { pid } = (await stack.describe()).processes['moderation'] ?? { pid: 0 };
    const answers = Promise.all(
      prompts.map((prompt, index) =>
        waitFor(
          async () => {
            const answer = await tryToCreate(client, `load-${index}`, { prompt });
            return answer && answer.status !== 503 && { prompt, ...answer };
          },
          { timeoutMs: 90_000 },
        ),
      ),
    );
    process.kill(pid, 'SIGKILL');

    for (const { prompt, status, body } of await answers) {
      const ended = status === 422 ? 'refused' : (await endedThroughFaults(client, body.id)).status;
      expect([prompt, ended]).toEqual([prompt, ENDS[prompt] ?? 'succeeded']);
    }
  }, 180_000);

  it('screens thirty edits of three large images within its memory', async () => {
    await engineIsCalledAgain();
    const request = { prompt: 'brighter', images: Array.from({ length: 3 }, () => largeImage), size: '256x256' };
    const edits = await Promise.all(
      Array.from({ length: 30 }, () => client.post<Job & ErrorBody>('/images/edits', request)),
    );

    // A busy machine does not screen the images of every request in time.
    const accepted = edits.filter(({ status }) => status === 202);
    expect(edits.filter(({ status }) => status !== 202 && status !== 503)).toEqual([]);
    expect(accepted.length).toBeGreaterThan(0);
    const { pid } = (await stack.describe()).processes['moderation'] ?? { pid: 0 };
    expect((await peakMemoryMb(pid)) ?? 0).toBeLessThan(600);
    await Promise.all(accepted.map(({ body }) => client.post(`/jobs/${body.id}/cancel`)));
  }, 180_000);
});
