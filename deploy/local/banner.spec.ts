import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { banner, firstImageCommand, readConfiguredBackends } from './banner';

const run = promisify(execFile);
const ID = '0193b3a2-6f5e-7c1d-9e57-0a4c8d1f2b3e';
const IMAGE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 10, 13]);

describe('the line that makes a first image', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-first-image-'));
  const requests: string[] = [];
  let statuses: string[] = [];
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      if (request.url === '/image?signed=a&b=c') return void response.end(IMAGE);
      const status = statuses.shift();
      const output = status === 'succeeded' ? [{ url: `${url}/image?signed=a&b=c`, mime: 'image/png' }] : null;
      const input = { prompt: 'A "quoted" prompt', webhook_url: 'https://example.com/hook' };
      const job = { id: ID, object: 'job', status, model: 'general-image', input, output, error: null };
      response.writeHead(202, { 'Content-Type': 'application/json' }).end(JSON.stringify(job));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => requests.splice(0));
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  async function paste(shell: string): Promise<string> {
    const { stdout } = await run(shell, ['-c', firstImageCommand(`${url}/v1`, 'knr_live_demo')], { cwd: folder });
    return stdout.trim();
  }

  it.each(['bash', 'sh'])('waits for the job and saves its image, in %s', async (shell) => {
    statuses = ['queued', 'processing', 'succeeded'];
    expect(await paste(shell)).toBe(`Saved ${folder}/kinora.png`);
    expect(readFileSync(path.join(folder, 'kinora.png'))).toEqual(IMAGE);
    expect(requests.slice(0, 3)).toEqual([
      'POST /v1/images/generations Bearer knr_live_demo',
      `GET /v1/jobs/${ID} Bearer knr_live_demo`,
      `GET /v1/jobs/${ID} Bearer knr_live_demo`,
    ]);
    rmSync(path.join(folder, 'kinora.png'));
  });

  it('shows the answer instead if there is no image', async () => {
    statuses = ['queued', 'failed'];
    expect(await paste('bash')).toMatch(/^No image: \{.*"status":"failed"/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('banner', () => {
  const stack = {
    pid: 1,
    base_url: 'http://127.0.0.1:8080/v1',
    api_key: 'knr_live_demo',
    account_id: 'a',
    webhook_secret: 's',
    console_url: 'http://127.0.0.1:8081',
    console_setup_url: null,
    nats_url: 'nats://127.0.0.1:1',
    database_url: 'postgres://127.0.0.1:2/postgres',
    processes: {},
  };
  let configDir: string;
  const lines = () => banner(stack, '/data', readConfiguredBackends(configDir)).split('\n');

  beforeEach(() => {
    configDir = mkdtempSync(path.join(os.tmpdir(), 'kinora-banner-'));
  });
  afterEach(() => rmSync(configDir, { recursive: true }));

  it('names the reference and the renderer, and claims nothing more', () => {
    expect(lines()).toContain('  Reference  http://127.0.0.1:8080/docs');
    expect(lines()).toContain('  Renderer   SANDBOX: the images are drawn by code; no AI model runs.');
  });

  it('shows the link that makes the first operator, where there is one', () => {
    const link = 'http://127.0.0.1:8081/operator/setup#token=t';
    expect(lines().join('\n')).not.toContain('Setup');
    expect(banner({ ...stack, console_setup_url: link }, '/data', readConfiguredBackends(configDir))).toContain(link);
  });

  it('shows how a client of OpenAI makes an image', () => {
    expect(lines()).toContain(
      "const openai = new OpenAI({ apiKey: 'knr_live_demo', baseURL: 'http://127.0.0.1:8080/openai/v1' });",
    );
  });

  it('names the backends that are configured, and none of their secrets', () => {
    const fields = "url: 'http://gpu-a:8188', headers: { authorization: '${TOKEN}' }";
    writeFileSync(
      path.join(configDir, 'providers.yaml'),
      `providers:\n  - { id: gpu-a, type: comfyui, ${fields} }\n  - { id: cloud, type: runpod, ${fields} }\n`,
    );
    expect(lines()).toContain(
      '  Renderer   gpu-a (comfyui), cloud (runpod); models without a route there are drawn by the SANDBOX, which is code, not an AI model.',
    );
    expect(lines().join()).not.toMatch(/TOKEN|8188/);
  });
});
