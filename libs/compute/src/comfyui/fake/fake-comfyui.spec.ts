import { waitFor } from '@kinora/testing';
import { WebSocket } from 'undici';
import { type Exchange, readExchanges, readRecording, RECORDED_VERSIONS } from '../recordings.fixtures';
import { FakeComfyui } from './fake-comfyui.fixtures';
import type { QueueItem } from './fake-prompts.fixtures';

/** The shape of a value: types instead of values, and one of each type in lists. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))].sort();
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, shapeOf(item)])
      .sort(),
  );
}

function promptOf({ response }: Exchange): [promptId: string, item: QueueItem] {
  const [entry] = Object.entries(response.body as Record<string, { prompt: QueueItem }>);
  if (!entry) throw new Error('The history is empty');
  return [entry[0], entry[1].prompt];
}

async function replay(url: string, { request }: Exchange): Promise<{ status: number; body: unknown }> {
  const { method, path, body, body_raw: raw } = request;
  const init = body === undefined ? raw : JSON.stringify(body);
  const response = await fetch(url + path, { method, ...(init === undefined ? {} : { body: init }) });
  const text = await response.text();
  return { status: response.status, body: text === '' ? '' : (JSON.parse(text) as unknown) };
}

describe.each(RECORDED_VERSIONS)('the fake ComfyUI answers as %s does', (version) => {
  let fake: FakeComfyui;
  let url: string;
  beforeEach(async () => {
    fake = new FakeComfyui({ version });
    url = await fake.start();
  });
  afterEach(() => fake.stop());

  const recorded = (name: string): Exchange => {
    const [exchange] = readExchanges(version, name);
    if (!exchange) throw new Error(`There is nothing in ${name}`);
    return exchange;
  };

  it.each([
    'prompt-ok-own-prompt-id',
    'prompt-ok-with-node-errors',
    'prompt-invalid-unknown-class',
    'prompt-invalid-missing-image',
    'prompt-invalid-too-big',
    'queue-idle',
  ])('%s', async (name) => {
    const exchange = recorded(name);
    const { status, body } = await replay(url, exchange);
    expect(status).toBe(exchange.response.status);
    expect(shapeOf(body)).toEqual(shapeOf(exchange.response.body));
  });

  it.each(['history-success-image-batch3', 'history-interrupted'])('%s', async (name) => {
    const exchange = recorded(name);
    const [promptId, [, , graph, extraData, outputs]] = promptOf(exchange);
    fake.prompts.push(promptId, graph, extraData, outputs);
    if (name.includes('interrupted')) fake.end('interrupted');
    else fake.finish();
    expect(shapeOf((await replay(url, exchange)).body)).toEqual(shapeOf(exchange.response.body));
  });

  it('reports the system fields that the adapter reads, and the files of folders', async () => {
    const [stats] = readExchanges(version, 'server-system-stats');
    const { body } = await replay(url, stats as Exchange);
    const { system } = stats?.response.body as { system: { comfyui_version: string; os: string } };
    expect(body).toMatchObject({ system: { comfyui_version: system.comfyui_version, os: system.os } });
    for (const exchange of readExchanges(version, 'server-models').filter(({ request }) =>
      request.path.startsWith('/models/'),
    ))
      expect((await replay(url, exchange)).status).toBe(exchange.response.status);
  });

  it('sends events in the order and the shape of real ones', async () => {
    const { frames = [] } = readRecording(version, 'ws-success');
    const received: { type: string; data: unknown }[] = [];
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?clientId=me`);
    socket.addEventListener('message', ({ data }) => received.push(JSON.parse(String(data)) as never));
    await waitFor(() => received.length > 0);
    const [, [, , graph, , outputs]] = promptOf(recorded('history-success-image-batch3'));
    fake.prompts.push('a-prompt', graph, { client_id: 'me' }, outputs);
    fake.finish();
    await waitFor(() =>
      received.some(({ type, data }) => type === 'executing' && (data as { node: unknown }).node === null),
    );
    socket.close();
    const real = frames.flatMap(({ dir, data }) => (dir === 'server->client' && data ? [data] : []));
    const isReported = ({ type }: { type: string }): boolean => !['feature_flags', 'progress_state'].includes(type);
    const order = (events: { type: string }[]): string[] =>
      events
        .filter(isReported)
        .map(({ type }) => type)
        .filter((type, index, all) => type !== all[index - 1]);
    expect(order(received)).toEqual(order(real));
    const shapes = new Set(real.map(({ type, data }) => JSON.stringify([type, shapeOf(data)])));
    for (const { type, data } of received.filter(({ type: received }) => received !== 'executed'))
      expect(shapes).toContain(JSON.stringify([type, shapeOf(data)]));
  });
});
