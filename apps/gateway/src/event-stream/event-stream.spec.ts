import { type IncomingMessage, type Server, type ServerResponse, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@kinora/testing';
import { EventStream } from './event-stream';
import { HeartbeatWheel } from './event-streams';

const SLOW_READER_MS = 300;
/** A loaded machine needs more than a second to move 20 MiB. */
const PATIENT_MS = 60_000;
const EVENT = { id: '1', type: 'job.progress', data: { text: 'a\nb' } };

let server: Server;
let latest: EventStream | undefined;
let slowReaderMs = SLOW_READER_MS;
const clients: IncomingMessage[] = [];

beforeAll(async () => {
  server = createServer((_request, response: ServerResponse) => {
    response.writeHead(200, { Connection: 'close' });
    latest = new EventStream(response, slowReaderMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  for (const client of clients) client.destroy();
  server.closeAllConnections();
  server.close();
});

/** A client that reads only what the test lets it read, with the server's side of the stream. */
async function connect(cutAfterMs = SLOW_READER_MS): Promise<{ stream: EventStream; incoming: IncomingMessage }> {
  latest = undefined;
  slowReaderMs = cutAfterMs;
  const { port } = server.address() as AddressInfo;
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent: false }, resolve).once('error', reject);
  });
  incoming.on('error', () => undefined);
  clients.push(incoming);
  return { stream: await waitFor(() => latest), incoming };
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return text;
}

describe('an event stream', () => {
  it('begins with the reconnection time, and sends id, type and JSON of each event', async () => {
    const { stream, incoming } = await connect();
    expect(await stream.send(EVENT)).toBe(true);
    stream.sendHeartbeat();
    stream.end();
    const event = 'id: 1\nevent: job.progress\ndata: {"text":"a\\nb"}\n\n';
    expect(await readAll(incoming)).toBe(`retry: 2000\n\n${event}: \n\n`);
    expect(stream.isOver).toBe(true);
    expect(await stream.send(EVENT)).toBe(false);
  });

  it('refuses an id that would start another field', async () => {
    const { stream, incoming } = await connect();
    await expect(stream.send({ ...EVENT, id: '1\ndata: x' })).rejects.toThrow('line break');
    incoming.destroy();
  });

  it('holds one event at most for a client that does not read, and cuts it', async () => {
    const { stream, incoming } = await connect();
    incoming.pause();
    const large = { ...EVENT, data: 'x'.repeat(1024 * 1024) };
    // The buffers of the kernel take the first events.
    let sent = 0;
    while (await stream.send(large)) sent += 1;
    expect(sent).toBeLessThan(50);
    expect(stream.isOver).toBe(true);
  });

  it('waits for a client that reads slowly', async () => {
    const { stream, incoming } = await connect(PATIENT_MS);
    incoming.pause();
    const sending = stream.send({ ...EVENT, data: 'x'.repeat(20 * 1024 * 1024) });
    await expect(stream.send(EVENT)).rejects.toThrow('one event at a time');
    incoming.resume();
    expect(await sending).toBe(true);
    stream.end();
  });

  it('is over when the client leaves', async () => {
    const { stream, incoming } = await connect();
    let calls = 0;
    stream.onOver(() => (calls += 1));
    incoming.destroy();
    await waitFor(() => stream.isOver);
    stream.end();
    expect([calls, await stream.send(EVENT)]).toEqual([1, false]);
  });
});

describe('the heartbeats of streams', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('come every 15 seconds, for each stream at its own second, until it is removed', () => {
    const wheel = new HeartbeatWheel();
    const beats: string[] = [];
    const removeFirst = wheel.add(() => beats.push('first'));
    jest.advanceTimersByTime(7_000);
    wheel.add(() => beats.push('second'));
    expect(beats).toEqual([]);
    jest.advanceTimersByTime(8_000);
    expect(beats).toEqual(['first']);
    removeFirst();
    jest.advanceTimersByTime(15_000);
    expect(beats).toEqual(['first', 'second']);
    wheel.stop();
  });
});
