import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Account } from '@kinora/contracts/billing/account';
import type { Model } from '@kinora/contracts/catalog/model';
import type { Job } from '@kinora/contracts/jobs/job';
import type { Quote } from '@kinora/contracts/jobs/quote';
import type { Receipt } from '@kinora/contracts/jobs/receipt';
import { imagesOf, waitFor } from '@kinora/testing';
import { compactVerify, createRemoteJWKSet } from 'jose';
import { type ApiClient, type ErrorBody, download } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';

const run = promisify(execFile);

describe('quotes and receipts, end to end', () => {
  let stack: LocalStack;
  let client: ApiClient;
  let host: string;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-receipts-'));
    stack = await LocalStack.shared();
    ({ client } = await openAccount(stack));
    host = client.baseUrl.replace(/\/v1$/, '');
  }, 120_000);
  afterAll(async () => {
    await stack.stop();
    await rm(folder, { recursive: true });
  });

  const receiptOf = (id: string): Promise<Receipt> =>
    waitFor(async () => {
      const { status, body } = await client.get<Receipt>(`/jobs/${id}/receipt`);
      return status === 200 ? body : null;
    });

  it('are verified by a JOSE library, and state what the client can compute itself', async () => {
    const request = { prompt: 'a lighthouse', seed: 7, n: 2, size: '512x512' };
    const accepted = await client.generate(request);
    const { status, body } = await client.get<ErrorBody>(`/jobs/${accepted.id}/receipt`);
    if (status !== 200) expect(`${body.error.code}: ${body.error.message}`).toMatch(/^job_in_flight: /);
    const job = await client.ended(accepted.id);
    const receipt = await receiptOf(job.id);

    const keys = createRemoteJWKSet(new URL(`${host}/.well-known/jwks.json`));
    const { payload } = await compactVerify(receipt.jws, keys, { algorithms: ['EdDSA'] });
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual(receipt.payload);

    const canonical = JSON.stringify(request, Object.keys(request).sort());
    const files = await Promise.all(imagesOf(job).map(({ url }) => download(url)));
    const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
    expect(receipt.payload).toMatchObject({
      job_id: job.id,
      operation: 'images.generations',
      outcome: { status: 'succeeded', error_code: null },
      ended_at: job.completed_at,
      price: { micros: job.usage.charged_micros, per: 'image', quantity: 2, source: 'catalog' },
      settlement: { kind: 'capture', amount_micros: job.usage.charged_micros },
      request_sha256: sha256(canonical),
      output_sha256: files.map(sha256),
    });
    expect(receipt.payload.moderation.map(({ stage, verdict }) => `${stage} ${verdict}`)).toEqual([
      'input passed',
      'output passed',
    ]);
  });

  it('state the price that a quote held, and the quote has no other effect', async () => {
    const request = { model: 'fast-image', prompt: 'a lighthouse', n: 2 };
    const before = await client.read<Account>('/account');
    const answer = await client.post<Quote>('/quotes', { operation: 'images.generations', request });
    const { id, price, ...quote } = answer.body;
    expect(quote).toMatchObject({ would_be_accepted: true, refusals: [], model: 'fast-image' });
    expect(quote.balance_after_micros).toBe(before.balance_micros - (price?.micros ?? 0));
    expect(await client.read<Account>('/account')).toEqual(before);

    const headers = { 'X-Service-Quote': id ?? '' };
    const refused = await client.post<ErrorBody>('/images/generations', { ...request, n: 1 }, headers);
    expect([refused.status, refused.body.error.code]).toEqual([400, 'quote_mismatch']);
    const { body: job } = await client.post<Job>('/images/generations', request, headers);
    expect(job.usage.charged_micros).toBe(price?.micros);
    await client.ended(job.id);
    expect((await receiptOf(job.id)).payload.price).toMatchObject({
      micros: price?.micros,
      source: 'quote',
      quote_id: id,
    });
    const { client: stranger } = await openAccount(stack);
    const stolen = await stranger.post<ErrorBody>('/images/generations', request, headers);
    expect([stolen.status, stolen.body.error.code]).toEqual([400, 'quote_expired']);
  });

  it('state the price of the account as operators set it, which both doors charge, and quotes outlast', async () => {
    const { client: reseller, accountId, apiKey } = await openAccount(stack);
    const group = `resellers-${accountId}`;
    const kinora = (line: string) => stack.kinora<{ id: number }>(...line.split(' '));
    const request = { model: 'fast-image', prompt: 'a lighthouse' };
    const listed = async (by: ApiClient) =>
      (await by.read<{ data: Model[] }>('/models')).data.find(({ id }) => id === request.model)?.price?.micros ?? 0;
    const micros = await listed(client);

    const { id: factor } = await kinora(`price group set ${group} --factor 0.5`);
    await kinora(`price group assign ${accountId} ${group}`);
    expect(await listed(reseller)).toBe(micros / 2);
    const { body: quote } = await reseller.post<Quote>('/quotes', { operation: 'images.generations', request });
    expect(quote.price?.micros).toBe(micros / 2);
    const { id: own } = await kinora(`price set fast-image --micros 7 --price-group ${group} --reason launch`);
    await kinora(`price set fast-image --micros 9 --price-group ${group} --from 2099-01-01T00:00:00Z`);
    expect([await listed(reseller), await listed(client)]).toEqual([7, micros]);

    const create = async (headers = {}): Promise<Job> =>
      (await reseller.post<Job>('/images/generations', request, headers)).body;
    const job = await waitFor(async () => {
      const created = await create();
      return created.usage.charged_micros === 7 ? created : null;
    });
    const held = await create({ 'X-Service-Quote': quote.id ?? '' });
    expect(held.usage.charged_micros).toBe(micros / 2);
    const openai = await fetch(`${host}/openai/v1/images/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    await openai.arrayBuffer();
    expect([openai.status, openai.headers.get('x-kinora-charged-usd')]).toEqual([200, '0.000007']);

    for (const [{ id }, source, price_changes] of [
      [job, 'catalog', [own]],
      [held, 'quote', [factor]],
    ] as const) {
      await reseller.ended(id);
      const { body } = await waitFor(async () => {
        const answer = await reseller.get<Receipt>(`/jobs/${id}/receipt`);
        return answer.status === 200 && answer;
      });
      expect(body.payload.price).toMatchObject({ source, price_changes });
    }
    await kinora(`price group assign ${accountId}`);
    expect(await listed(reseller)).toBe(micros);
  });

  it('are verified by the command of the operator, also without the network, and refused if changed', async () => {
    const { id } = await client.generate({ model: 'fast-image', prompt: 'a lighthouse [[fail:error]]' });
    await client.ended(id);
    const receipt = await receiptOf(id);
    expect(receipt.payload).toMatchObject({
      outcome: { status: 'failed', error_code: 'provider_error' },
      settlement: { kind: 'refund' },
      output_sha256: [],
    });
    const [file, forged, jwks] = ['receipt.json', 'forged.json', 'jwks.json'].map((name) => path.join(folder, name));
    await writeFile(file ?? '', JSON.stringify(receipt));
    await writeFile(forged ?? '', JSON.stringify({ ...receipt, payload: { ...receipt.payload, attempts: 7 } }));
    const address = `${host}/.well-known/jwks.json`;
    await writeFile(jwks ?? '', await (await fetch(address)).text());
    const verify = async (stated = '', keys = ''): Promise<unknown> => {
      const command = ['dist/apps/cli/src/main.js', 'receipt', 'verify', stated, '--jwks', keys, '--json'];
      const { stdout } = await run(process.execPath, command).catch((error: unknown) => error as { stdout: string });
      return JSON.parse(stdout) as unknown;
    };
    expect(await verify(file, address)).toMatchObject({ ok: true, job_id: id });
    expect(await verify(file, jwks)).toMatchObject({ ok: true, job_id: id });
    expect(await verify(forged, jwks)).toMatchObject({ ok: false });
  });
});
