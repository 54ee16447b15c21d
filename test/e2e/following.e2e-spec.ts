import { imagesOf, waitFor } from '@kinora/testing';
import type { Job } from '@kinora/contracts/jobs/job';
import { type ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount, openKey } from '../support/operator';

const TEXT = 'CLIENT-TEXT';
const JOBS = 12;

interface OpenStream {
  events: () => { type: string; data: unknown }[];
  text: () => string;
  isOver: () => boolean;
  close: () => void;
}

/** Reads server-sent events until the stream is over. */
async function openStream(baseUrl: string, apiKey: string, path: string): Promise<OpenStream> {
  const aborter = new AbortController();
  const headers = { authorization: `Bearer ${apiKey}`, accept: 'text/event-stream' };
  const response = await fetch(`${baseUrl}${path}`, { headers, signal: aborter.signal });
  expect(response.status).toBe(200);
  let [text, isOver] = ['', false];
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body as AsyncIterable<Uint8Array>)
      text += decoder.decode(chunk, { stream: true });
  };
  void read().then(
    () => (isOver = true),
    () => (isOver = true),
  );
  return {
    events: () =>
      [...text.matchAll(/^event: (.+)\ndata: (.+)\n\n/gm)].map(([, type = '', data = '']) => ({
        type,
        data: JSON.parse(data) as unknown,
      })),
    text: () => text,
    isOver: () => isOver,
    close: () => aborter.abort(),
  };
}

async function waitingRequests(stack: LocalStack): Promise<number> {
  const { gateway } = (await stack.describe()).processes;
  const metrics = await (await fetch(new URL('/metrics', gateway?.health_url))).text();
  return Number(/^kinora_http_waiting_requests (\d+)$/m.exec(metrics)?.[1]);
}

describe('open streams, end to end', () => {
  let stack: LocalStack;

  beforeAll(async () => {
    stack = await LocalStack.start();
  }, 120_000);
  afterAll(() => stack.stop());

  const deleteContent = async (client: ApiClient, id: string): Promise<Job> =>
    waitFor(async () => {
      const { status, body } = await client.send<Job>(`/jobs/${id}/content`, { method: 'DELETE' });
      return status === 200 ? body : null;
    });

  it('end, as a wait does, when their key is revoked or rotated without an overlap, and no other does', async () => {
    const { client, accountId, apiKey } = await openAccount(stack, { key_scope: 'account' });
    const revoked = await openKey(stack, { account_id: accountId, name: 'to revoke' });
    const rotated = await client.post<{ id: string; api_key: string }>('/account/keys', { name: 'to rotate' });
    const { id } = await client.generate({ prompt: 'slow [[delay:60s]]' });
    const open = (key: string): Promise<OpenStream[]> =>
      Promise.all([`/jobs/${id}/events`, '/events'].map((path) => openStream(client.baseUrl, key, path)));
    const [kept, ofRevoked, ofRotated] = [
      await open(apiKey),
      await open(revoked.apiKey),
      await open(rotated.body.api_key),
    ];
    const wait = fetch(`${client.baseUrl}/jobs/${id}`, {
      headers: { authorization: `Bearer ${revoked.apiKey}`, prefer: 'wait=60' },
    });
    await waitFor(async () => (await waitingRequests(stack)) === 1);
    await revoked.revoke();
    expect((await wait).status).toBe(401);
    await waitFor(() => ofRevoked.every((stream) => stream.isOver()));
    expect(ofRotated.some((stream) => stream.isOver())).toBe(false);
    await client.post(`/account/keys/${rotated.body.id}/rotate`, {});
    await waitFor(() => ofRotated.every((stream) => stream.isOver()));
    for (const stream of [...ofRevoked, ...ofRotated])
      expect(stream.events().filter(({ type }) => type !== 'job.progress')).toEqual([]);

    await client.post(`/jobs/${id}/cancel`);
    await waitFor(() => kept.every((stream) => stream.events().some(({ type }) => type === 'job.canceled')));
    for (const stream of kept) stream.close();
  });

  it('beside deletions of content send each end once, with all of the content or with none', async () => {
    const { client, apiKey } = await openAccount(stack);
    const feed = await openStream(client.baseUrl, apiKey, '/events');
    const ends = await Promise.all(
      Array.from({ length: JOBS }, async () => {
        const { id } = await client.generate({
          model: 'fast-image',
          prompt: `${TEXT} [[delay:1s]]`,
          metadata: { order: TEXT },
        });
        const stream = await openStream(client.baseUrl, apiKey, `/jobs/${id}/events`);
        const left = await deleteContent(client, id);
        await waitFor(() => stream.isOver());
        return { left, ends: stream.events().filter(({ type }) => type !== 'job.progress') };
      }),
    );
    for (const { left, ends: sent } of ends) {
      expect(sent.map(({ type }) => type)).toEqual(['job.succeeded']);
      const job = sent[0]?.data as Job;
      const content = [job.input.prompt, job.metadata, ...imagesOf(job).map(({ url }) => url)];
      if (job.input.prompt === '') expect(job).toEqual(left);
      else expect(content).toEqual([`${TEXT} [[delay:1s]]`, { order: TEXT }, expect.any(String)]);
    }
    await waitFor(() => feed.events().length === JOBS);
    feed.close();

    const later = await openStream(client.baseUrl, apiKey, '/events');
    await waitFor(() => later.events().length === JOBS);
    expect(later.text()).not.toContain(TEXT);
    later.close();
  });
});
