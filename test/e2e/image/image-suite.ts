import type { Job } from '@kinora/contracts/jobs/job';
import { imagesOf, waitFor } from '@kinora/testing';
import { type Container, podsOf } from '../../helm/manifest';
import { renderChart } from '../../helm/render-chart';
import type { ImageStack } from './image-stack';

/** The image runs every service from read-only files, without its own user, and creates an image that is charged. */
export async function createsImages(stack: ImageStack): Promise<void> {
  const { baseUrl } = stack;
  const cli = stack.run('dist/apps/cli/src/main.js', { NATS_URL: stack.natsUrl('operator') }, [
    'account',
    'create',
    '--name',
    'image',
    // Polls without a pause.
    '--rpm',
    '100000',
    '--json',
  ]);
  const { output } = await cli.end();
  const { api_key: key } = JSON.parse(output) as { api_key: string };
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ prompt: 'a lighthouse on a rocky coast' });
  const created = await fetch(`${baseUrl}/v1/images/generations`, { method: 'POST', headers, body });
  expect(created.status).toBe(202);
  const { id } = (await created.json()) as { id: string };
  const job = await waitFor(
    async () => {
      const polled = (await (await fetch(`${baseUrl}/v1/jobs/${id}`, { headers })).json()) as Job;
      return polled.status === 'succeeded' && polled;
    },
    { timeoutMs: 60_000 },
  );
  const url = imagesOf(job)[0]?.url as string;
  const image = Buffer.from(await (await fetch(url)).arrayBuffer());
  expect(image.length).toBeGreaterThan(1_000);
}

/** The pod of `helm test` ends well. It fetches an output from the gateway only, as its NetworkPolicy allows. */
export async function passesChartTest(stack: ImageStack, bytes: RegExp = /\d{4,}/): Promise<void> {
  const [pod] = podsOf(await renderChart({ example: 'minimal' })).filter(({ owner }) => owner.kind === 'Pod');
  const { command = [], env = [] } = pod?.spec.containers[0] as Container;
  const replaced: Record<string, string> = {
    GATEWAY_URL: stack.baseUrl,
    PUBLIC_URL: stack.baseUrl,
    NATS_URL: stack.natsUrl('operator'),
  };
  const given = env.map(({ name, value = '' }) => [name, replaced[name] ?? value]);
  const [, program = '', ...args] = command;
  const { exitCode, output } = await stack
    .run(program, Object.fromEntries(given) as Record<string, string>, args)
    .end();
  expect({ exitCode, output }).toEqual({
    exitCode: 0,
    output: expect.stringMatching(new RegExp(`"bytes":${bytes.source},"charged_micros":[1-9]`)) as string,
  });
}

/** Each half of the console serves its own pages and API, and mcp refuses a request without a key. */
export async function servesPages({ consoleUrls, healthUrls }: ImageStack): Promise<void> {
  const [customers, operators] = ['console-customer', 'console-operator'].map((half) => consoleUrls[half] as string);
  for (const page of [`${customers}/`, `${operators}/operator`]) {
    const response = await fetch(page);
    const html = await response.text();
    expect({ page, status: response.status, html }).toEqual({
      page,
      status: 200,
      html: expect.stringMatching(/\/assets\//) as string,
    });
    const script = /(?:src|href)="(\/assets\/[^"]+)"/.exec(html)?.[1] as string;
    expect((await fetch(new URL(script, page))).status).toBe(200);
  }
  expect((await fetch(`${customers}/admin/v1/operator/session`)).status).toBe(404);
  expect((await fetch(`${operators}/admin/v1/session`)).status).toBe(404);
  const mcp = healthUrls.filter((url) => url.endsWith('/healthz')).map((url) => url.replace('healthz', 'mcp'));
  const statuses = await Promise.all(mcp.map(async (url) => (await fetch(url, { method: 'POST' })).status));
  expect(statuses).toContain(401);
}

/** Docker's health check succeeds where a service is ready, and fails elsewhere. */
export async function reportsHealth(stack: ImageStack): Promise<void> {
  const port = new URL(stack.healthUrls[0] as string).port;
  const requested = [port, '1'].map((each) => stack.run('health-check.cjs', { KINORA_HEALTH_PORT: each }).end());
  expect((await Promise.all(requested)).map(({ exitCode }) => exitCode)).toEqual([0, 1]);
}

export async function endsOnSigterm(stack: ImageStack): Promise<void> {
  const codes = await Promise.all([...stack.running].map(async ([name, service]) => [name, await service.stop()]));
  expect(Object.fromEntries(codes)).toEqual(Object.fromEntries([...stack.running.keys()].map((name) => [name, 0])));
}
