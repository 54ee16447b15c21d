import { Kinora } from '@kinora/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { createMcpServer } from '../create-mcp-server';

const QUOTE = { id: 'quote_1', price: { usd: 0.04 }, would_be_accepted: true, refusals: [] };
/** A PNG of three by two pixels. */
const LAKE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAMAAAACAQMAAACnuvRZAAAAA1BMVEUAiP95IsAUAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWNgYGAAAAAEAAGjChXjAAAAAElFTkSuQmCC';
const JOB = { id: '019aa00d-5c1e-7b52-8f36-2f1f0e9d6c11', object: 'job', status: 'queued', usage: {}, output: null };
const REFUSAL = { code: 'insufficient_balance', param: null, message: 'The balance is 0.01 USD.' };

interface Sent {
  path: string;
  quote: string | null;
  /** What a quote is told of the first image. */
  image?: unknown;
}

/** An agent whose tools reach an API that answers with this quote, and the requests of the tools. */
async function connect(quote: object, isKeyValid = true): Promise<{ client: Client; sent: Sent[] }> {
  const sent: Sent[] = [];
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const path = new URL(request.url).pathname;
    const isQuote = path === '/v1/quotes';
    const quoted = isQuote ? ((await request.json()) as { request: { image?: unknown } }).request : {};
    sent.push({ path, quote: request.headers.get('x-service-quote'), image: quoted.image });
    if (!isKeyValid) return Response.json({ error: { code: 'invalid_api_key', message: 'Unknown.' } }, { status: 401 });
    return Response.json(isQuote ? quote : JOB);
  };
  const kinora = new Kinora({ apiKey: 'knr_test_x', baseURL: 'http://api.example/v1', fetch: answer });
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  await createMcpServer({ kinora, imageFolder: null }).connect(theirs);
  const client = new Client({ name: 'spec', version: '1.0.0' });
  await client.connect(mine);
  return { client, sent };
}

describe('max_usd', () => {
  const CALLS = [
    { name: 'create_image', path: '/v1/images/generations', arguments: { prompt: 'a lake' } },
    {
      name: 'edit_image',
      path: '/v1/images/edits',
      arguments: { prompt: 'at night', images: ['https://example.com/a.png'] },
    },
    { name: 'create_video', path: '/v1/videos/generations', arguments: { image: 'https://example.com/a.png' } },
  ];

  it.each(CALLS)('lets $name create a job at the quoted price, up to the limit itself', async (it) => {
    const { client, sent } = await connect(QUOTE);
    const result = await client.callTool({ name: it.name, arguments: { ...it.arguments, max_usd: 0.04 } });
    expect(result).toMatchObject({ structuredContent: { job_id: JOB.id } });
    expect(sent).toEqual([
      { path: '/v1/quotes', quote: null },
      { path: it.path, quote: 'quote_1' },
    ]);
  });

  it.each(CALLS)('refuses a dearer request of $name', async (it) => {
    const { client, sent } = await connect(QUOTE);
    const result = await client.callTool({ name: it.name, arguments: { ...it.arguments, max_usd: 0.039 } });
    expect(textOf(result as CallToolResult)).toContain('This costs 0.04 USD, and max_usd is 0.039.');
    expect(sent.map(({ path }) => path)).toEqual(['/v1/quotes']);
  });

  it.each([
    { name: 'edit_image', arguments: { prompt: 'at night', images: [LAKE, LAKE] } },
    { name: 'create_video', arguments: { image: LAKE } },
  ])('tells the quote of $name the sides of the image, from which the price may follow', async (it) => {
    const { client, sent } = await connect(QUOTE);
    await client.callTool({ name: it.name, arguments: { ...it.arguments, max_usd: 1 } });
    expect(sent.map(({ path }) => path).slice(0, 2)).toEqual(['/v1/account', '/v1/quotes']);
    expect(sent[1]).toMatchObject({ image: { width: 3, height: 2 } });
  });

  it.each([
    { name: 'edit_image', arguments: { prompt: 'at night', images: [LAKE] } },
    { name: 'create_video', arguments: { image: LAKE } },
  ])('reads no image of $name before the API has accepted the key', async (it) => {
    const { client, sent } = await connect(QUOTE, false);
    const result = await client.callTool({ name: it.name, arguments: { ...it.arguments, max_usd: 1 } });
    expect(textOf(result as CallToolResult)).toContain('invalid_api_key');
    expect(sent.map(({ path }) => path)).toEqual(['/v1/account']);
  });

  it.each([
    { reason: 'that would be refused', quote: { ...QUOTE, would_be_accepted: false, refusals: [REFUSAL] } },
    { reason: 'without a price', quote: { ...QUOTE, id: null, price: null } },
  ])('refuses a request $reason', async ({ quote }) => {
    const { client, sent } = await connect(quote);
    const result = await client.callTool({ name: 'create_image', arguments: { prompt: 'a lake', max_usd: 1 } });
    expect(textOf(result as CallToolResult)).toMatch(/Nothing was created\. (insufficient_balance|Its price)/);
    expect(sent.map(({ path }) => path)).toEqual(['/v1/quotes']);
  });
});

function textOf({ isError, content: [first] }: CallToolResult): string {
  if (!isError || first?.type !== 'text') throw new Error('The call did not fail.');
  return first.text;
}
