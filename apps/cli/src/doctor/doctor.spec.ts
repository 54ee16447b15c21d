import { writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { waitFor } from '@kinora/testing';
import { runLine, useCli } from '../../test/cli.fixtures';
import { runCli } from '../run-cli';
import type { CheckResult } from './check';
import { FakeContexts, FakeModeration, FakeJobsAndCatalog, state } from '../../test/doctor-fakes.fixtures';

describe('kinora doctor', () => {
  const testBed = useCli(FakeContexts, FakeModeration, FakeJobsAndCatalog);
  let web: Server;
  let address: string;
  let fileStatus: number;

  beforeAll(async () => {
    web = createServer(({ url }, response) => response.writeHead(url === '/picture' ? fileStatus : 200).end('{}'));
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => web.close(resolve)));
  beforeEach(() => {
    fileStatus = 200;
    Object.assign(state, {
      health: {},
      compute: {
        providers: [
          { id: 'draw', type: 'sandbox', state: 'up', problems: [] },
          { id: 'gpu', type: 'comfyui', state: 'up', version: '0.12.1', free_slots: 2, problems: [] },
        ],
        models: [{ id: 'poster', providers: ['draw'], problems: [] }],
      },
      models: [
        { id: 'on-gpu', t2i: true, micros: 1, provider: 'gpu' },
        { id: 'edit', t2i: false, micros: 1, provider: 'draw' },
        { id: 'dear', t2i: true, micros: 9, provider: 'draw' },
        { id: 'cheap', t2i: true, micros: 8, provider: 'draw' },
      ],
      payments: { provider: 'sandbox', problems: [] },
      accounts: [],
      polls: [succeeded()],
      received: [],
    });
  });

  const ended = { completed_at: '2026-11-20T09:00:00Z', output: null, error: null };
  const succeeded = () => ({
    ...ended,
    status: 'succeeded' as const,
    output: { images: [{ url: `${address}/picture`, mime: 'image/png', width: 8, height: 8, seed: 1, bytes: 2 }] },
  });

  async function doctor(flags: string[] = [], env: NodeJS.ProcessEnv = testBed.env) {
    const { exitCode, out } = await runLine(['doctor', '--json', ...flags], env);
    const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: CheckResult[] };
    expect(checks.every((check) => check.ok === (check.outcome !== 'failed'))).toBe(true);
    const outcomes = Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));
    const of = (name: string) => checks.find((check) => check.name === name);
    return { exitCode, ok, outcomes, of };
  }

  it('reports without the stack file that all works, and what cannot be tried from there', async () => {
    const { exitCode, ok, outcomes, of } = await doctor();
    expect(of('engines')?.detail).toBe('texts: rules; images: hash, local');
    expect({ exitCode, ok }).toEqual({ exitCode: 0, ok: true });
    expect(outcomes).toEqual({
      ...{ stack: 'ok', disk: 'not_tried', nats: 'ok', jobs: 'ok', billing: 'ok', moderation: 'ok', catalog: 'ok' },
      ...{
        'webhook-dispatcher': 'ok',
        engines: 'ok',
        mail: 'ok',
        ledger: 'ok',
        payments: 'ok',
        gateway: 'not_tried',
        'provider draw': 'ok',
        'provider gpu': 'ok',
      },
      ...{ 'model poster': 'ok', 'sandbox job': 'ok' },
    });
    expect(of('provider gpu')?.detail).toBe('comfyui is up, version 0.12.1, 2 places free');
  });

  it('says what keeps payments from arriving, or that there are none', async () => {
    state.payments = { provider: 'stripe', problems: ['No enabled webhook endpoint.'] };
    expect((await doctor()).of('payments')).toMatchObject({
      outcome: 'failed',
      detail: 'No enabled webhook endpoint.',
    });
    state.payments = { provider: null, problems: [] };
    expect((await doctor()).of('payments')).toMatchObject({ outcome: 'not_tried' });
  });

  it('asks the gateway whether it takes webhooks of Stripe', async () => {
    state.payments = { provider: 'stripe', problems: [] };
    expect((await doctor(['--base-url', `${address}/v1`])).of('payments')).toMatchObject({
      ...{ outcome: 'failed', detail: expect.stringContaining('KINORA_STRIPE_WEBHOOK_SECRET') as string },
    });
  });

  it('says what would help an instance that works', async () => {
    const advice = 'It spent 41 % of the last hour loading.';
    state.compute.providers = [{ id: 'gpu', type: 'comfyui', state: 'up', problems: [], advice }];
    const { of } = await doctor(['--without-job']);
    expect(of('provider gpu')).toMatchObject({ outcome: 'ok', detail: `comfyui is up. ${advice}` });
  });

  it('reads the disk, the processes and the API of a local stack', async () => {
    const processes = {
      billing: { pid: process.pid, health_url: `${address}/readyz` },
      jobs: { pid: 2 ** 30, health_url: `${address}/readyz` },
    };
    const file = { nats_url: testBed.natsUrl, base_url: `${address}/v1`, api_key: 'knr_live_x', processes };
    writeFileSync(path.join(testBed.folder, 'stack.json'), JSON.stringify(file));
    const { exitCode, outcomes, of } = await doctor([], {
      KINORA_DATA_DIR: testBed.folder,
      NATS_URL: 'nats://127.0.0.1:9',
    });
    expect(exitCode).toBe(1);
    expect(outcomes).toMatchObject({ disk: 'ok', 'process billing': 'ok', 'process jobs': 'failed', gateway: 'ok' });
    const log = path.join(testBed.folder, 'logs', 'jobs.log');
    expect(of('process jobs')).toMatchObject({ log, next: `tail -n 50 ${log}` });
  });

  it('names a context that cannot work, and the reason', async () => {
    const problem = { name: 'database', problem: 'no answer in time' };
    state.health = { catalog: Promise.resolve({ dependencies: [{ name: 'broker', problem: null }, problem] }) };
    const { exitCode, of } = await doctor();
    expect(exitCode).toBe(1);
    expect(of('catalog')).toMatchObject({
      outcome: 'failed',
      detail: 'It answers, but cannot work: database: no answer in time.',
      log: expect.stringContaining('catalog') as string,
    });
    expect(of('sandbox job')).toMatchObject({ outcome: 'not_tried', detail: 'not tried: catalog must answer first' });
  });

  it('prints what is known while a context hangs, and waits for no check longer than 5 s', async () => {
    let release: () => void = () => undefined;
    state.health = { billing: new Promise((resolve) => (release = () => resolve({ dependencies: [] }))) };
    const lines: string[] = [];
    const running = runCli(['doctor'], {
      env: testBed.env,
      out: (line) => lines.push(line),
      err: (line) => lines.push(line),
    });
    await waitFor(() => lines.some((line) => line.startsWith('ok    jobs')));
    expect(lines.join('\n')).not.toContain('billing');
    // The context still hangs when all checks have ended.
    expect(await running).toBe(1);
    release();
    expect(lines.join('\n')).toMatch(
      /FAIL {2}billing +It did not answer within 5 s\. .*\n {8}log: {2}.*billing(.*\n)*-- {4}ledger .*billing must answer first/,
    );
    expect(lines.at(-1)).toBe(`1 of ${lines.length - 1} checks failed.`);
  });

  it('tries a job of the cheapest model that only a sandbox draws, and pays for it', async () => {
    state.polls = [{ ...ended, status: 'processing', completed_at: null }, succeeded()];
    expect((await doctor()).of('sandbox job')?.detail).toMatch(/^drawn, stored and fetched, 2 bytes, in \d+\.\d s$/);
    const input = { model: 'cheap', prompt: expect.any(String) as string, size: '512x512' };
    expect(state.received).toMatchObject([
      { contract: 'create_account', request: { name: 'Kinora doctor', retention_days: 1 } },
      { contract: 'grant_credit', request: { account_id: 'acc-new', amount_micros: 9_000 } },
      { contract: 'create', request: { account_id: 'acc-new', kind: 'image.generation', input } },
    ]);
  });

  it('uses its own account again, and the credit that a canceled job has left', async () => {
    const account = { status: 'active', in_flight_jobs: 0, created_at: '2026-11-20T09:00:00Z' } as const;
    state.accounts = [
      { ...account, account_id: 'acc-3', name: 'Kinora doctors', balance_micros: 0 },
      { ...account, account_id: 'acc-2', name: 'Kinora doctor', balance_micros: 0 },
      { ...account, account_id: 'acc-1', name: 'Kinora doctor', balance_micros: 9_000 },
    ];
    await doctor();
    expect(state.received).toMatchObject([{ contract: 'create', request: { account_id: 'acc-1' } }]);
  });

  it('cancels a job that does not end in time, so that it costs nothing', async () => {
    state.polls = [{ ...ended, status: 'queued', completed_at: null }];
    const { exitCode, of } = await doctor(['--job-within', '2']);
    expect(exitCode).toBe(1);
    expect(of('sandbox job')).toMatchObject({
      outcome: 'failed',
      detail: 'Job job-1 was still queued when the time of the check was over; it is canceled.',
      next: 'npm run --silent kinora -- job show job-1',
    });
    expect(state.received.at(-1)).toMatchObject({ contract: 'cancel', request: { job_id: 'job-1' } });
  });

  it('reports why the job failed, or that its image cannot be fetched', async () => {
    const error = { code: 'provider_error' as const, message: 'The provider failed.' };
    state.polls = [{ ...ended, status: 'failed', error }];
    expect((await doctor()).of('sandbox job')?.detail).toBe('Job job-1 ended as failed: The provider failed.');
    state.polls = [succeeded()];
    fileStatus = 404;
    expect((await doctor()).of('sandbox job')?.detail).toBe('The link to its output answered 404.');
  });

  it('tries no job if it would cost GPU time, or with --without-job', async () => {
    state.models = state.models.slice(0, 2);
    expect((await doctor()).of('sandbox job')).toMatchObject({ outcome: 'not_tried' });
    expect((await doctor(['--without-job'])).of('sandbox job')).toBeUndefined();
    expect(state.received).toEqual([]);
  });

  it('sends a request to the API if its address is given', async () => {
    expect((await doctor(['--base-url', `${address}/v1`])).outcomes.gateway).toBe('ok');
    const nowhere = await doctor(['--base-url', 'http://127.0.0.1:9/v1']);
    expect(nowhere.of('gateway')).toMatchObject({
      outcome: 'failed',
      detail: 'http://127.0.0.1:9/v1 does not answer.',
    });
  });
});

describe('kinora doctor without moderation', () => {
  const testBed = useCli(FakeContexts, FakeJobsAndCatalog);

  it('fails, although every other context answers', async () => {
    const { exitCode, out } = await testBed.run('doctor --json');
    const { checks } = JSON.parse(out) as { checks: CheckResult[] };
    expect(exitCode).toBe(1);
    expect(checks.filter(({ ok }) => !ok)).toMatchObject([
      { name: 'moderation', detail: 'No process answers for it on the broker.' },
    ]);
  });
});
