import { HttpsReceiver, RECEIVER_AUTHORITY_FILE, TestBroker, waitFor } from '@kinora/testing';
import type { EventList } from '@kinora/contracts/jobs/jobs.events';
import type { WebhookEvent } from '@kinora/contracts/jobs/webhook-event';
import type { ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';
import { createThroughFaults, endedThroughFaults } from '../support/through-faults';

const CLIENTS = 4;
const CREATES_PER_CLIENT = 10;
const JOBS = CLIENTS * CREATES_PER_CLIENT;

describe('the feed of an account, while services are killed and the store of the broker is deleted', () => {
  let broker: TestBroker;
  let receiver: HttpsReceiver;
  let stack: LocalStack;

  beforeAll(async () => {
    [broker, receiver] = await Promise.all([TestBroker.start(), HttpsReceiver.start()]);
    stack = await LocalStack.start({
      smallImages: true,
      env: {
        NATS_URL: broker.url,
        KINORA_EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
        NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE,
      },
    });
  }, 120_000);
  afterAll(async () => {
    await stack.stop();
    await Promise.all([broker.close(), receiver.close()]);
  });

  const kill = async (service: string): Promise<void> => {
    const { pid } = (await stack.describe()).processes[service] ?? { pid: 0 };
    process.kill(pid, 'SIGKILL');
    await waitFor(async () => (await stack.describe()).processes[service]?.pid !== pid);
  };

  it('gives a list and a stream every event once and in one order, in the bytes of the webhooks', async () => {
    const { client, apiKey } = await openAccount(stack);
    const webhook_url = `https://127.0.0.1:${receiver.port}/hook`;
    const accepted: string[] = [];
    const clientNumber = async (number: number): Promise<void> => {
      for (let index = 0; index < CREATES_PER_CLIENT; index += 1) {
        // Some fail fast and some are drawn, so that they end in another order than they were created.
        const prompt = `[[delay:${(index % 3) * 300}ms]] ${index % 2 === 0 ? '[[fail:error]]' : ''} ${number}-${index}`;
        const hook = index % 2 === 0 ? { webhook_url } : {};
        accepted.push((await createThroughFaults(client, `${number}-${index}`, { prompt, ...hook })).id);
      }
    };
    const stop = new AbortController();
    const listed: WebhookEvent[] = [];
    const listing = followList(client, listed, stop.signal);
    const streamed: WebhookEvent[] = [];
    const streaming = followStream(`${client.baseUrl}/events`, apiKey, streamed, stop.signal);
    const load = Promise.all(Array.from({ length: CLIENTS }, (_, number) => clientNumber(number)));

    await waitFor(() => accepted.length >= 8, { timeoutMs: 60_000 });
    await kill('jobs');
    await waitFor(() => accepted.length >= 16, { timeoutMs: 60_000 });
    await broker.stop();
    await broker.wipe();
    await broker.startAgain();
    await waitFor(() => accepted.length >= 24, { timeoutMs: 60_000 });
    await kill('gateway');
    await load;
    for (const id of accepted) await endedThroughFaults(client, id);
    await waitFor(() => listed.length >= JOBS && streamed.length >= JOBS, { timeoutMs: 60_000 });
    stop.abort();
    await Promise.all([listing, streaming]);

    expect(listed.map(({ data }) => data.object.id).toSorted()).toEqual(accepted.toSorted());
    expect(streamed).toEqual(listed);
    const hooked = listed.filter(({ data }) => data.object.input.prompt?.includes('[[fail:error]]'));
    const bodies = (): Set<string> => new Set(receiver.requests.map(({ body }) => body.toString()));
    await waitFor(() => hooked.every((event) => bodies().has(JSON.stringify(event))), { timeoutMs: 60_000 });
    expect(bodies().size).toBe(hooked.length);
  }, 300_000);
});

/** Polls the list from its beginning, and continues after the last page that arrived. */
async function followList(client: ApiClient, seen: WebhookEvent[], stop: AbortSignal): Promise<void> {
  let after = '';
  while (!stop.aborted) {
    await waitFor(
      async () => {
        const page = await client.get<EventList>(`/events?limit=7${after}`).catch(() => null);
        if (page?.status !== 200) return stop.aborted;
        seen.push(...page.body.data);
        if (page.body.next_cursor !== null) after = `&after=${page.body.next_cursor}`;
        return page.body.data.length > 0 || stop.aborted;
      },
      { timeoutMs: 120_000 },
    );
  }
}

/** Reads the stream like an EventSource: it reconnects with the id of its last event whenever the stream ends. */
async function followStream(url: string, key: string, seen: WebhookEvent[], stop: AbortSignal): Promise<void> {
  let lastId = '';
  const connect = async (): Promise<boolean> => {
    const continued = lastId === '' ? {} : { 'last-event-id': lastId };
    const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...continued };
    try {
      const { status, body } = await fetch(url, { headers, signal: stop });
      if (status !== 200 || !body) return stop.aborted;
      let text = '';
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        const blocks = (text + chunk).split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const [, id = '', data] = /^id: (.*)\nevent: .*\ndata: (.*)$/.exec(block) ?? [];
          if (data === undefined) continue;
          seen.push(JSON.parse(data) as WebhookEvent);
          lastId = id;
        }
      }
    } catch {
      // The gateway was killed, or the test is over.
    }
    return stop.aborted;
  };
  await waitFor(connect, { timeoutMs: 240_000 });
}
