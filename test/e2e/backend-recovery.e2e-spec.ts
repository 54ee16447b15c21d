import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:net';
import path from 'node:path';
import { FakeComfyui } from '@kinora/compute/fixtures';
import { waitFor } from '@kinora/testing';
import type { Job } from '@kinora/contracts/jobs/job';
import type { ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';

const CATALOG = `models:
  - id: colour
    type: image
    label: Colour
    capabilities: { t2i: true, sizes: [512x512], max_n: 1, max_refs: 0 }
    price: { micros: 1, per: image }
    routes: [{ provider: gpu-a, template: cpu-text-to-image-standin }]
`;
const WAITING_JOBS = 4;
/** Two probes without an answer extend the breaker's pause to a minute. */
const SILENT_PROBES = 5;
const LONG = { timeoutMs: 120_000 };

const toLine = (request: { method: string; path: string }) => `${request.method} ${request.path}`;

/** Accepts connections at the backend's address and closes them. */
class ClosingServer {
  connections = 0;
  private readonly server: Server = createServer((socket) => {
    this.connections += 1;
    socket.destroy();
  });

  async open(port: number): Promise<void> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    this.server.close();
    await once(this.server, 'close');
  }
}

describe('a backend that goes away and returns', () => {
  const comfyui = new FakeComfyui();
  let stack: LocalStack;
  let client: ApiClient;
  let port: number;

  beforeAll(async () => {
    const url = await comfyui.start();
    port = Number(new URL(url).port);
    const instance = { id: 'gpu-a', type: 'comfyui', url, concurrency: 1 };
    const config = { 'providers.yaml': { providers: [instance] }, 'catalog.yaml': CATALOG };
    stack = await LocalStack.start({ config });
    ({ client } = await openAccount(stack));
  }, 120_000);

  afterAll(async () => {
    await stack.stop();
    await comfyui.stop();
  });

  const create = (): Promise<Job> => client.generate({ model: 'colour', prompt: 'a colour' });

  /** Whether the circuit breaker of the instance is open in the process of jobs. */
  async function isBreakerOpen(): Promise<boolean> {
    const { jobs } = (await stack.describe()).processes;
    const metrics = await (await fetch(new URL('/metrics', jobs?.health_url))).text();
    return /^kinora_provider_breaker_open\{provider="gpu-a"\} 1$/m.test(metrics);
  }

  /** What jobs has logged about the circuit breaker. */
  async function breakerLines(): Promise<unknown[]> {
    const log = await readFile(path.join(stack.dataDir, 'logs', 'jobs.log'), 'utf8');
    return log
      .split('\n')
      .flatMap((line): unknown[] => (/provider_(un)?available/.test(line) ? [JSON.parse(line)] : []));
  }

  it('gets the waiting jobs after the first answered probe, and not after the pause of its breaker', async () => {
    const before = await create();
    await waitFor(() => comfyui.workingCount === 1, LONG);
    comfyui.finish();
    expect((await client.ended(before.id, LONG.timeoutMs)).status).toBe('succeeded');
    // Otherwise the deletion of the task, which is repeated until it succeeds, is among the requests after the return.
    await waitFor(() => comfyui.requests.some((request) => toLine(request) === 'POST /history'), LONG);

    await comfyui.stop();
    const outage = new ClosingServer();
    await outage.open(port);
    const waiting: Job[] = [];
    for (let count = 0; count < WAITING_JOBS; count++) waiting.push(await create());
    await waitFor(isBreakerOpen, LONG);
    const opened = outage.connections;
    await waitFor(() => outage.connections >= opened + SILENT_PROBES, LONG);
    await outage.close();

    const [earlier, submitted] = [comfyui.requests.length, comfyui.graphs.length];
    await comfyui.start();
    await waitFor(() => comfyui.graphs.length > submitted, LONG);
    expect(comfyui.requests.slice(earlier).map(toLine)[0]).toMatch(/^GET /);
    // A breaker that only its pause ends is closed by the job that it then lets through.
    const lines = await waitFor(async () => {
      const read = await breakerLines();
      return read.length > 1 && read;
    }, LONG);
    expect(lines).toMatchObject([
      { msg: 'provider_unavailable' },
      { msg: 'provider_available', cause: 'it answers again' },
    ]);

    await waitFor(async () => {
      comfyui.finish();
      const jobs = await Promise.all(waiting.map(({ id }) => client.job(id)));
      return jobs.every(({ status }) => status === 'succeeded');
    }, LONG);
  }, 240_000);
});
