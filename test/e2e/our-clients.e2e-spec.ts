import path from 'node:path';
import { Kinora } from '@kinora/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { HttpsReceiver, waitFor } from '@kinora/testing';
import sharp from 'sharp';
import { ROOT } from '../../deploy/build/source-files';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';

const MCP_PROGRAM = path.join(ROOT, 'dist/apps/mcp/src/main.js');

/** A flow of each client; sdk-typescript.e2e-spec.ts and mcp.e2e-spec.ts test the installed packages in full. */
describe('our clients', () => {
  let stack: LocalStack;
  let receiver: HttpsReceiver;
  let account: Awaited<ReturnType<typeof openAccount>>;
  let baseUrl: string;

  beforeAll(async () => {
    receiver = await HttpsReceiver.start();
    stack = await LocalStack.shared();
    baseUrl = (await stack.describe()).base_url;
    account = await openAccount(stack);
  }, 120_000);

  afterAll(async () => {
    await stack.stop();
    await receiver.close();
  });

  it('of TypeScript: draws, edits, follows, verifies the receipt and the webhook', async () => {
    const kinora = new Kinora({ apiKey: account.apiKey, baseURL: baseUrl });
    const drawn = await kinora.images.generate({ model: 'fast-image', prompt: 'a lighthouse', size: '512x512' });
    const file = await kinora.download(drawn.output.images[0]);
    expect(await sharp(file).metadata()).toMatchObject({ width: 512, height: 512 });
    expect(await kinora.receipts.verify(await kinora.jobs.receipt(drawn.id))).toMatchObject({ job_id: drawn.id });

    const webhook_url = `https://127.0.0.1:${receiver.port}/hook`;
    const edit = await kinora.images.createEdit({ prompt: 'at night', image: file, webhook_url });
    const types: string[] = [];
    for await (const { type } of kinora.jobs.events(edit.id)) types.push(type);
    expect(types.at(-1)).toBe('job.succeeded');
    const [sent] = await waitFor(() => receiver.requests.length > 0 && receiver.requests);
    const event = kinora.webhooks.unwrap(sent?.body ?? '', sent?.headers ?? {}, account.webhookSecret);
    expect(event).toMatchObject({ type: 'job.succeeded', data: { object: { id: edit.id } } });
  });

  it('for agents: draws over standard input and output, within the price that the agent allows', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MCP_PROGRAM],
      env: { KINORA_BASE_URL: baseUrl, KINORA_API_KEY: account.apiKey },
    });
    const agent = new Client({ name: 'spec', version: '1.0.0' });
    await agent.connect(transport);
    const call = async (name: string, args: object): Promise<CallToolResult> =>
      (await agent.callTool({ name, arguments: { ...args } })) as CallToolResult;
    const dear = await call('create_image', { prompt: 'a lake', max_usd: 0.000_001 });
    expect(dear).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Nothing was created') }] });
    const { structuredContent: created } = await call('create_image', { prompt: 'a lake', max_usd: 1 });
    const ended = await waitFor(async () => {
      const answer = await call('wait_for_job', { job_id: created?.['job_id'], timeout_seconds: 5 });
      return answer.structuredContent?.['status'] === 'succeeded' && answer;
    });
    expect(ended.structuredContent).toMatchObject({ charged_usd: created?.['reserved_usd'] });
    expect(ended.content.map(({ type }) => type)).toEqual(['text', 'resource_link', 'image']);
    await agent.close();
  });
});
