import { Bus } from '@kinora/bus';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { RECEIPT_TYP, type Receipt } from '@kinora/contracts/jobs/receipt';
import { statement } from '@kinora/database';
import { canonicalJson, SigningKey, toPublicJwk } from '@kinora/signatures';
import { createTestLog, waitFor } from '@kinora/testing';
import { compactVerify, createLocalJWKSet } from 'jose';
import { v7 as uuidv7 } from 'uuid';
import { RECEIPT_KEY, useJobs } from './jobs-service.fixtures';
import { JobsConfig } from '../src/jobs.config';
import { ReceiptKeyRepository, ReceiptRowRepository } from '../src/receipt/receipt.repository';
import { ReceiptSigner } from '../src/receipt/receipt-signer';
import { GetReceipt } from '../src/receipt/use-cases/get-receipt.query';

const SHA256 = /^[0-9a-f]{64}$/;
/** What a deletion of content takes from the row of an ended job. */
const ERASE = [
  'ALTER TABLE job DISABLE TRIGGER job_ended_is_immutable',
  `UPDATE job SET input = '{"model": "m", "size": "128x100", "n": 1, "seed": 1}', images = '[]', metadata = NULL, webhook_url = NULL`,
  'ALTER TABLE job ENABLE TRIGGER job_ended_is_immutable',
];
const AGE = [
  'ALTER TABLE job DISABLE TRIGGER job_ended_is_immutable',
  `UPDATE job SET accepted_facts = NULL WHERE id = $1`,
  'ALTER TABLE job ENABLE TRIGGER job_ended_is_immutable',
];
/** As a standby without the last commits is. */
const LOSE_KEY = 'DELETE FROM receipt_key WHERE kid = $1';

describe('a receipt', () => {
  const jobs = useJobs();

  const receiptOf = (job_id: string, account_id = jobs.accountId) =>
    jobs.bus.request(jobsRpc.getReceipt, { account_id, job_id });
  const publishedKeys = async () => (await jobs.bus.request(jobsRpc.listReceiptKeys, {})).keys;
  const update = async (statements: string[], ...values: unknown[]) => {
    for (const [place, sql] of statements.entries())
      await jobs.database.database.execute(statement('', sql), place === 1 ? values : []);
  };
  /** By a library that shares no code with ours. */
  const verify = async ({ jws }: Receipt) => {
    const keys = createLocalJWKSet({ keys: (await publishedKeys()).map(({ x }) => ({ ...toPublicJwk(x) })) });
    const { payload, protectedHeader } = await compactVerify(jws, keys, { algorithms: ['EdDSA'] });
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', typ: RECEIPT_TYP });
    return Buffer.from(payload).toString();
  };
  /** A process of the role api with other keys, on the same database. */
  const processWith = (keys: { receiptKey: string; receiptKeyNext?: string }) => {
    const config = Object.assign(new JobsConfig(), keys);
    const signer = new ReceiptSigner(config, jobs.service.get(ReceiptKeyRepository), createTestLog().logger);
    return { signer, get: new GetReceipt(jobs.service.get(Bus), jobs.service.get(ReceiptRowRepository), signer) };
  };

  it('states all facts of a success, signed over their canonical JSON', async () => {
    const done = await jobs.run({ n: 2, key: uuidv7(), body: 'b'.repeat(64) });
    const receipt = await waitFor(() => receiptOf(done.id).catch(() => null));
    const { payload } = receipt;
    expect(payload).toEqual({
      version: 1,
      job_id: done.id,
      account_id: jobs.accountId,
      operation: 'images.generations',
      model: 'general-image',
      outcome: { status: 'succeeded', error_code: null },
      accepted_at: done.created_at,
      started_at: done.started_at,
      ended_at: done.completed_at,
      attempts: 1,
      gpu_ms: done.usage.gpu_ms,
      price: {
        micros: 40_000,
        currency: 'USD',
        unit_micros: 20_000,
        per: 'image',
        quantity: 2,
        source: 'catalog',
        quote_id: null,
      },
      hold: { ledger_entry_id: '1', kind: 'reserve', amount_micros: 40_000, at: expect.any(String) as string },
      settlement: { ledger_entry_id: '2', kind: 'capture', amount_micros: 40_000, at: expect.any(String) as string },
      request_sha256: 'b'.repeat(64),
      input_image_sha256: [],
      output_sha256: [expect.stringMatching(SHA256), expect.stringMatching(SHA256)],
      moderation: jobs.fakes.decisions.get(done.id)?.map(({ created_at: at, ...decision }) => ({ ...decision, at })),
    });
    expect(payload.moderation.map(({ stage, verdict }) => [stage, verdict])).toEqual([
      ['input', 'passed'],
      ['output', 'passed'],
    ]);
    expect(await verify(receipt)).toBe(canonicalJson(payload));
    expect(await receiptOf(done.id)).toEqual(receipt);
  });

  it('of a video names the hash of its start frame, and the price of its seconds', async () => {
    jobs.worker.stateOnSubmit = 'running';
    const { id, input } = await jobs.animate();
    await jobs.cancel(id);
    jobs.worker.stateOnSubmit = 'succeeded';
    const { payload } = await receiptOf(id);
    expect(payload).toMatchObject({
      operation: 'videos.generations',
      outcome: { status: 'canceled', error_code: null },
      price: { micros: 100_000, unit_micros: 20_000, per: 'second', quantity: 5 },
      settlement: { kind: 'refund', amount_micros: 100_000 },
      input_image_sha256: 'image' in input ? [input.image?.sha256] : [],
      request_sha256: null,
      output_sha256: [],
    });
    expect(payload.input_image_sha256).toHaveLength(1);
  });

  it('of a blocked job carries the decision that blocked it', async () => {
    jobs.fakes.outputVerdict = 'blocked';
    const done = await jobs.run();
    jobs.fakes.outputVerdict = 'passed';
    const { payload } = await waitFor(() => receiptOf(done.id).catch(() => null));
    expect(payload).toMatchObject({
      outcome: { status: 'failed', error_code: 'content_blocked_output' },
      settlement: { kind: 'refund' },
      output_sha256: [],
    });
    expect(payload.moderation.at(-1)).toMatchObject({ stage: 'output', verdict: 'blocked', policy_version: 'v1' });
  });

  it('does not exist before the end, before the books are closed, and for another account', async () => {
    jobs.worker.stateOnSubmit = 'running';
    const { job } = await jobs.create();
    await expect(receiptOf(job.id)).rejects.toMatchObject({ code: 'job_in_flight', status: 400 });
    jobs.fakes.refusedEnds.add(job.id);
    await jobs.cancel(job.id).catch(() => null);
    jobs.worker.stateOnSubmit = 'succeeded';
    await expect(receiptOf(job.id)).rejects.toMatchObject({ code: 'capacity' });
    jobs.fakes.refusedEnds.delete(job.id);
    await jobs.bus.request(billingRpc.refund, { job_id: job.id });
    expect((await receiptOf(job.id)).payload.settlement.kind).toBe('refund');
    await expect(receiptOf(job.id, uuidv7())).rejects.toMatchObject({ code: 'not_found' });
    await expect(receiptOf(uuidv7())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is the same after a screening of outputs that the end of the job has outrun', async () => {
    jobs.worker.stateOnSubmit = 'running';
    const { job } = await jobs.create();
    await jobs.cancel(job.id);
    jobs.worker.stateOnSubmit = 'succeeded';
    const before = await receiptOf(job.id);
    const decided = jobs.fakes.decisions.get(job.id) ?? [];
    const created_at = new Date(Date.parse(before.payload.ended_at) + 1).toISOString();
    const late = {
      decision_id: uuidv7(),
      stage: 'output',
      verdict: 'passed',
      policy_version: 'v1',
      created_at,
    } as const;
    jobs.fakes.decisions.set(job.id, [...decided, late]);
    expect(await receiptOf(job.id)).toEqual(before);
  });

  it('states the decisions that the end of the job rests on, also where the clock of moderation is ahead', async () => {
    const done = await jobs.run();
    const before = await waitFor(() => receiptOf(done.id).catch(() => null));
    const ahead = (jobs.fakes.decisions.get(done.id) ?? []).map((decision) => ({
      ...decision,
      created_at: new Date(Date.parse(before.payload.ended_at) + 1_000).toISOString(),
    }));
    jobs.fakes.decisions.set(done.id, ahead);
    expect((await receiptOf(done.id)).payload.moderation.map(({ decision_id }) => decision_id)).toEqual(
      before.payload.moderation.map(({ decision_id }) => decision_id),
    );
  });

  it('is the same after the content of the job was erased', async () => {
    const done = await jobs.run();
    const before = await waitFor(() => receiptOf(done.id).catch(() => null));
    await update(ERASE);
    expect(await receiptOf(done.id)).toEqual(before);
  });

  it('of a job without recorded facts has no hashes of the request, and no way to its price', async () => {
    const done = await jobs.run();
    await waitFor(() => receiptOf(done.id).catch(() => null));
    await update(AGE, done.id);
    expect((await receiptOf(done.id)).payload).toMatchObject({
      price: {
        micros: 20_000,
        currency: 'USD',
        unit_micros: null,
        per: null,
        quantity: null,
        source: null,
        quote_id: null,
      },
      request_sha256: null,
      input_image_sha256: null,
      output_sha256: [expect.stringMatching(SHA256)],
    });
  });

  it('of a request that resumed after a change of the prices states the hold as the source of its price', async () => {
    const key = uuidv7();
    jobs.fakes.loseReserveReply = true;
    await expect(jobs.create({ key })).rejects.toMatchObject({ code: 'capacity' });
    jobs.fakes.loseReserveReply = false;
    // The first attempt has held what the price list said then.
    const [hold] = [...jobs.fakes.holds.values()].slice(-1);
    Object.assign(hold ?? {}, { amount_micros: 15_000 });
    const done = await jobs.run({ key });
    const { payload } = await waitFor(() => receiptOf(done.id).catch(() => null));
    expect(payload.price).toEqual({
      micros: 15_000,
      currency: 'USD',
      unit_micros: null,
      per: null,
      quantity: null,
      source: 'hold',
      quote_id: null,
    });
  });

  it('stays verifiable after a rotation of the key, which is published before it signs', async () => {
    const [first, second] = [RECEIPT_KEY, 'a'.repeat(64)];
    const done = await jobs.run();
    const old = await waitFor(() => receiptOf(done.id).catch(() => null));

    await processWith({ receiptKey: first, receiptKeyNext: second }).signer.publish();
    const nextKid = new SigningKey(second).publicJwk.kid;
    expect((await publishedKeys()).map(({ kid }) => kid)).toContain(nextKid);

    const renewed = await processWith({ receiptKey: second }).get.execute({
      account_id: jobs.accountId,
      job_id: done.id,
    });
    expect(renewed.payload).toEqual(old.payload);
    expect(JSON.parse(Buffer.from(renewed.jws.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({
      kid: nextKid,
    });
    expect(await verify(renewed)).toBe(await verify(old));
  });

  it('is signed by a key that a failover has lost, which is then published again', async () => {
    const done = await jobs.run();
    await waitFor(() => receiptOf(done.id).catch(() => null));
    const process = processWith({ receiptKey: 'c'.repeat(64) });
    const ref = { account_id: jobs.accountId, job_id: done.id };
    const receipt = await process.get.execute(ref);
    await jobs.execute(LOSE_KEY, new SigningKey('c'.repeat(64)).publicJwk.kid);
    expect(await process.get.execute(ref)).toEqual(receipt);
    await verify(receipt);
  });

  it('is refused by a process whose key was withdrawn, and no longer verified by it', async () => {
    const leaked = 'b'.repeat(64);
    const done = await jobs.run();
    await waitFor(() => receiptOf(done.id).catch(() => null));
    const process = processWith({ receiptKey: leaked });
    const ref = { account_id: jobs.accountId, job_id: done.id };
    const receipt = await process.get.execute(ref);
    await verify(receipt);

    const { kid } = new SigningKey(leaked).publicJwk;
    const withdrawn = await jobs.bus.request(jobsAdminRpc.withdrawReceiptKey, { kid });
    expect(withdrawn.withdrawn_at).not.toBeNull();
    expect(await jobs.bus.request(jobsAdminRpc.withdrawReceiptKey, { kid })).toEqual(withdrawn);
    await expect(verify(receipt)).rejects.toThrow();
    await expect(process.get.execute(ref)).rejects.toMatchObject({ code: 'capacity' });
    const all = await jobs.bus.request(jobsRpc.listReceiptKeys, { with_withdrawn: true });
    expect(all.keys).toContainEqual(withdrawn);
    await expect(jobs.bus.request(jobsAdminRpc.withdrawReceiptKey, { kid: 'none' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
