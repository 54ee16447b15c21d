import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { waitFor } from '@kinora/testing';
import sharp from 'sharp';
import { findFreePorts } from '../../deploy/local/free-ports';
import { KeyedProxy } from '../support/forwarding-proxy';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';

const ROOT = path.resolve(__dirname, '../..');
/** As the image runs it. Over standard input and output the package runs, as a user has installed it. */
const PROGRAM = path.join(ROOT, 'dist/apps/mcp/src/main.js');
/** The newest version of the package that runs on Node 20. */
const CONFORMANCE = path.join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const run = promisify(execFile);
const TOOLS = [
  ...['list_models', 'quote', 'create_image', 'edit_image', 'create_video'],
  ...['wait_for_job', 'get_job', 'cancel_job', 'get_balance'],
];
/** What an agent can afford to have in its context. */
const LARGEST_ANSWER_BYTES = 60_000;
/** The price of an image of the default model. */
const CENTS = 0.1;

interface Answer {
  /** The JSON of the answer; empty for a failure. */
  value: Record<string, unknown> & { job_id: string; status: string };
  text: string;
  isError: boolean;
  content: CallToolResult['content'];
}

describe('the tools for agents', () => {
  let stack: LocalStack;
  let baseUrl: string;
  let account: Awaited<ReturnType<typeof openAccount>>;
  let folder: string;
  let outside: string;
  let installed: string;
  const clients: Client[] = [];

  beforeAll(async () => {
    stack = await LocalStack.shared();
    baseUrl = (await stack.describe()).base_url;
    account = await openAccount(stack);
    outside = await mkdtemp(path.join(os.tmpdir(), 'mcp-spec-'));
    folder = await mkdtemp(path.join(outside, 'images-'));
    installed = await install(outside);
    const lake = await sharp({ create: { width: 512, height: 512, channels: 3, background: '#3399cc' } })
      .png()
      .toBuffer();
    await Promise.all([writeFile(path.join(folder, 'lake.png'), lake), writeFile(path.join(outside, 'x.png'), lake)]);
  }, 120_000);

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await rm(outside, { recursive: true, force: true });
    await stack.stop();
  });

  async function overStdio(env: Record<string, string> = {}): Promise<Client> {
    const settings = { KINORA_BASE_URL: baseUrl, KINORA_API_KEY: account.apiKey, KINORA_MCP_IMAGE_FOLDER: folder };
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [installed],
      // Where its only dependency, sharp, is installed.
      env: { ...settings, NODE_PATH: path.join(ROOT, 'node_modules'), ...env },
      stderr: 'pipe',
    });
    return await connected(transport);
  }

  async function connected(transport: Parameters<Client['connect']>[0]): Promise<Client> {
    const client = new Client({ name: 'spec', version: '1.0.0' });
    clients.push(client);
    await client.connect(transport);
    return client;
  }

  async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
    expect(JSON.stringify(result).length).toBeLessThan(LARGEST_ANSWER_BYTES);
    const [first] = result.content;
    const text = first?.type === 'text' ? first.text : '';
    const value = (result.structuredContent ?? {}) as Answer['value'];
    if (!result.isError) expect(JSON.parse(text)).toEqual(value);
    return { value, text, isError: result.isError ?? false, content: result.content };
  }

  /** As an agent does: again until the job has ended. */
  async function ended(client: Client, jobId: string): Promise<Answer> {
    return await waitFor(async () => {
      const answer = await call(client, 'wait_for_job', { job_id: jobId, timeout_seconds: 5 });
      return !answer.isError && !['queued', 'processing'].includes(answer.value.status) && answer;
    });
  }

  async function jobIds(): Promise<string[]> {
    return (await account.client.get<{ data: { id: string }[] }>('/jobs')).body.data.map(({ id }) => id);
  }

  it('make an image over standard input and output: first the id of the job, then links and small images', async () => {
    const client = await overStdio();
    expect((await client.listTools()).tools.map(({ name }) => name).toSorted()).toEqual(TOOLS.toSorted());
    const created = await call(client, 'create_image', { prompt: 'a lake', n: 2, max_usd: 1 });
    expect(created.value).toMatchObject({ job_id: expect.any(String), reserved_usd: expect.any(Number) });

    const { value, content } = await ended(client, created.value.job_id);
    expect(value).toMatchObject({ status: 'succeeded', charged_usd: created.value.reserved_usd });
    expect(content.map(({ type }) => type)).toEqual(['text', 'resource_link', 'resource_link', 'image', 'image']);
    const [, link, , thumbnail] = content;
    if (link?.type !== 'resource_link' || thumbnail?.type !== 'image') throw new Error('no link or no image');
    const { width = 0, height = 0 } = await sharp(Buffer.from(thumbnail.data, 'base64')).metadata();
    expect(Math.max(width, height)).toBe(256);
    const bytes = Buffer.from(await (await fetch(link.uri)).arrayBuffer());
    expect(bytes).toHaveLength(link.size ?? 0);
  });

  it('edit an image of an earlier job or of the folder, make a video of it, and read no other file', async () => {
    const client = await overStdio();
    const first = await call(client, 'create_image', { prompt: 'a boat', size: '512x512', max_usd: 1 });
    const source = `job:${(await ended(client, first.value.job_id)).value.job_id}/0`;
    const edited = await call(client, 'edit_image', { prompt: 'at night', images: [source, 'lake.png'], max_usd: 1 });
    expect((await ended(client, edited.value.job_id)).value.status).toBe('succeeded');
    const video = await call(client, 'create_video', { image: path.join(folder, 'lake.png'), max_usd: 5 });
    expect((await ended(client, video.value.job_id)).content.map(({ type }) => type)).toEqual([
      'text',
      'resource_link',
    ]);

    const before = await jobIds();
    for (const image of ['../x.png', path.join(outside, 'x.png'), '/etc/hostname', `job:${first.value.job_id}/3`])
      expect(await call(client, 'edit_image', { prompt: 'at night', images: [image], max_usd: 1 })).toMatchObject({
        isError: true,
        text: expect.stringMatching(/the only folder|has no image/),
      });
    expect(await jobIds()).toEqual(before);
  });

  it('refuse what costs more than max_usd, and say what to do about each error', async () => {
    const client = await overStdio();
    const before = await jobIds();
    const dear = await call(client, 'create_image', { prompt: 'a lake', n: 4, max_usd: 0.000_001 });
    expect(dear).toMatchObject({
      isError: true,
      text: expect.stringContaining('max_usd is 0.000001. Nothing was created'),
    });
    const unbounded = await call(client, 'create_image', { prompt: 'a lake' });
    expect(unbounded).toMatchObject({ isError: true, text: expect.stringContaining('max_usd') });
    const unknown = await call(client, 'create_image', { prompt: 'a lake', model: 'none', max_usd: 1 });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('model_unavailable (model)') });
    expect(await call(client, 'get_job', { job_id: 'none' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('Check the id'),
    });
    expect(await jobIds()).toEqual(before);
    const stranger = await overStdio({ KINORA_API_KEY: `${account.apiKey}x` });
    expect(await call(stranger, 'get_balance')).toMatchObject({
      isError: true,
      text: expect.stringContaining('the user must set it'),
    });
  });

  it('tell models, prices and the balance', async () => {
    const client = await overStdio();
    const { value: catalog } = await call(client, 'list_models', { type: 'video' });
    expect(catalog.models).toEqual([expect.objectContaining({ id: 'image-to-video', type: 'video' })]);
    const request = { prompt: 'a lake', n: 2 };
    const { value: quote } = await call(client, 'quote', { operation: 'images.generations', request });
    expect(quote).toMatchObject({ would_be_accepted: true, price: { quantity: 2 } });
    const balance = (await account.client.get<{ balance_usd: number }>('/account')).body.balance_usd;
    expect((await call(client, 'get_balance')).value).toMatchObject({ balance_usd: balance, status: 'active' });
  });

  it('wait no longer than asked, report progress meanwhile, and cancel', async () => {
    const client = await overStdio();
    const prompt = '[[delay:60s]] a lake';
    const { value } = await call(client, 'create_image', { prompt, max_usd: 1 });
    const waited = await call(client, 'wait_for_job', { job_id: value.job_id, timeout_seconds: 1 });
    expect(waited.value).toMatchObject({ next: `Call wait_for_job with job_id "${value.job_id}".` });
    expect(['queued', 'processing']).toContain(waited.value.status);
    const tooLong = await call(client, 'wait_for_job', { job_id: value.job_id, timeout_seconds: 21 });
    expect(tooLong).toMatchObject({ isError: true, text: expect.stringContaining('timeout_seconds') });
    expect((await call(client, 'cancel_job', { job_id: value.job_id })).value).toMatchObject({
      status: 'canceled',
      charged_usd: 0,
    });
  });

  it('make one job of a call that an agent repeats with its key', async () => {
    const client = await overStdio();
    const before = await jobIds();
    const request = { prompt: 'a lake', max_usd: CENTS * 10, idempotency_key: 'agent-1' };
    const [one, two] = [await call(client, 'create_image', request), await call(client, 'create_image', request)];
    expect(two.value.job_id).toBe(one.value.job_id);
    expect(await jobIds()).toHaveLength(before.length + 1);
  });

  describe('over HTTP', () => {
    let server: ChildProcess;
    let url: URL;
    let keyed: KeyedProxy;

    beforeAll(async () => {
      const [port] = (await findFreePorts(1)) as [number];
      url = new URL(`http://127.0.0.1:${port}/mcp`);
      keyed = await KeyedProxy.start(url, account.apiKey);
      const env = {
        KINORA_BASE_URL: baseUrl,
        KINORA_MCP_TRANSPORT: 'http',
        KINORA_MCP_PORT: String(port),
        KINORA_MCP_IMAGE_FOLDER: folder,
        KINORA_MCP_ALLOWED_ORIGINS: keyed.origin,
      };
      server = spawn(process.execPath, [PROGRAM], { env, stdio: 'ignore' });
      await waitFor(async () => (await fetch(new URL('/healthz', url)).catch(() => null))?.ok);
    });
    afterAll(async () => {
      server.kill();
      await keyed.close();
    });

    const withKey = (apiKey: string): Promise<Client> => {
      const requestInit = { headers: { authorization: `Bearer ${apiKey}` } };
      return connected(new StreamableHTTPClientTransport(url, { requestInit }));
    };

    it('serve each client with its own key, and read no files', async () => {
      const other = await openAccount(stack);
      const [mine, theirs] = [await withKey(account.apiKey), await withKey(other.apiKey)];
      const { value } = await call(mine, 'create_image', { prompt: 'a lake', size: '512x512', max_usd: 1 });
      expect((await ended(mine, value.job_id)).value.status).toBe('succeeded');
      expect(await call(theirs, 'get_job', { job_id: value.job_id })).toMatchObject({ isError: true });
      const request = { prompt: 'at night', images: ['lake.png'], max_usd: 1 };
      expect(await call(mine, 'edit_image', request)).toMatchObject({
        isError: true,
        text: expect.stringContaining('This server reads no files'),
      });
    });

    // The other scenarios call tools, resources and prompts of the package's own example server.
    it.each(['server-initialize', 'ping', 'tools-list', 'tools-call-error', 'dns-rebinding-protection'])(
      "conform to the protocol, as its own scenario '%s' says",
      async (scenario) => {
        const args = [CONFORMANCE, 'server', '--url', `${keyed.origin}/mcp`, '--scenario', scenario];
        const { stdout } = await run(process.execPath, args);
        expect(stdout).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
      },
    );

    it('refuse requests without a key, from a page of another site, and in another form', async () => {
      const send = (init: RequestInit, at: URL | string = url): Promise<number> =>
        fetch(at, { method: 'POST', ...init }).then(({ status }) => status);
      const headers = { authorization: `Bearer ${account.apiKey}` };
      expect(await send({})).toBe(401);
      expect(await send({ headers: { ...headers, origin: 'https://evil.example' } })).toBe(403);
      expect(await send({ headers, method: 'GET' })).toBe(405);
      expect(await send({ headers }, new URL('/other', url))).toBe(404);
      const large = { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      expect(await send({ headers: large, body: `"${'x'.repeat(5_000_000)}"` })).toBeGreaterThanOrEqual(400);
    });
  });
});

/** The program of the packed package. */
async function install(folder: string): Promise<string> {
  const cwd = path.join(ROOT, 'apps/mcp');
  // As the package's own script does, but without a new build of the repository: other tests run from the one that exists.
  await run(process.execPath, ['build.mjs', '--if-missing'], { cwd });
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
  await run('tar', ['-xzf', filename], { cwd: folder });
  return path.join(folder, 'package/dist/kinora-mcp.cjs');
}
