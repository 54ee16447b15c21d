import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ProviderCapacities, ProviderRegistry, type SubmitOutcome, type TaskFacts } from '@kinora/compute';
import { providerServices } from '@kinora/compute/fixtures';
import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import { waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { WakeUp } from '@kinora/service-kit';
import { useDatabase } from '../../test/spec-database.fixtures';
import { FakeWorker } from '../../test/worker.fixtures';
import { AttemptRepository } from '../attempt/attempt.repository';
import { JobsConfig } from '../jobs.config';
import { ProviderLoad } from './provider-load';
import { Router } from './router';

const TASK: TaskFacts = {
  id: 'task',
  operation: 'image.generation',
  model: 'poster',
  prompt: 'a calm sea',
  negativePrompt: '',
  width: 512,
  height: 512,
  n: 1,
  seed: 7,
  loras: [],
  imageCount: 0,
};

const ACCOUNT = uuidv7();

/** Servers that report no capacity: only the configured limit applies. */
const providersAt = (url: string): string => `providers:
  - { id: small, type: sandbox, url: '${url}', concurrency: 1 }
  - { id: large, type: sandbox, url: '${url}', concurrency: 50 }
  - { id: piped, type: openai-images, dialect: localai, url: 'http://127.0.0.1:3' }
`;

describe('router', () => {
  const configDir = mkdtempSync(path.join(os.tmpdir(), 'routes-'));
  const database = useDatabase();
  let providers: ProviderRegistry;
  let router: Router;
  let jobs = 0;

  const worker = new FakeWorker();

  beforeAll(async () => {
    writeFileSync(path.join(configDir, 'providers.yaml'), providersAt(await worker.start()));
  });
  beforeEach(() => {
    const { egress, logger } = providerServices();
    const config = Object.assign(new JobsConfig(), { configDir, sandboxUrl: 'http://127.0.0.1:4' });
    providers = new ProviderRegistry(config, egress, logger);
    const load = new ProviderLoad(new AttemptRepository(database), new ProviderCapacities(), new WakeUp());
    router = new Router(providers, load, logger);
  });
  afterEach(() => providers.onApplicationShutdown());
  afterAll(async () => {
    await worker.stop();
    rmSync(configDir, { recursive: true });
  });

  const small: Route = { provider: 'small', weight: 1 };
  const large: Route = { provider: 'large', weight: 1, order: 1 };

  async function choose(routes: Route[], parts: { task?: TaskFacts; tried?: string[] } = {}) {
    const job = { id: `job-${(jobs += 1)}`, accountId: ACCOUNT, routes, task: TASK, tried: [], ...parts };
    const chosen = await router.choose(job);
    return chosen && { jobId: job.id, provider: chosen.provider.id, template: chosen.template };
  }

  async function sendTo(routes: Route[], outcome: SubmitOutcome): Promise<void> {
    const chosen = await choose(routes);
    if (chosen) router.report(chosen.provider, chosen.jobId, outcome);
  }

  it('fills an instance up to its bound, and then the next', async () => {
    expect(await router.room([small, large], ACCOUNT)).toBe(51);
    const chosen = await Promise.all(Array.from({ length: 3 }, () => choose([small, large])));
    expect(chosen.map((one) => one?.provider)).toEqual(['small', 'large', 'large']);
    expect(await router.room([small, large], ACCOUNT)).toBe(48);
    expect(await choose([small])).toBeNull();
  });

  it('avoids an instance whose answers are lost', async () => {
    for (let job = 0; job < 3; job += 1) await sendTo([{ ...large, order: 0 }], { kind: 'unknown' });
    expect(await router.room([large], ACCOUNT)).toBe(0);
    expect(await choose([large])).toBeNull();
    expect((await choose([large, { ...small, order: 2 }]))?.provider).toBe('small');
  });

  it('sends one trial job after the pause, and all others after its success', async () => {
    for (let job = 0; job < 3; job += 1) await sendTo([large], { kind: 'unknown' });
    await waitFor(async () => (await router.room([large], ACCOUNT)) === 1);
    const probing = await choose([large]);
    expect(await choose([large])).toBeNull();
    router.report('large', probing?.jobId ?? '', { kind: 'accepted', ref: null, isRunning: false });
    expect((await choose([large]))?.provider).toBe('large');
  });

  it('sends nothing to an instance that has not answered for five seconds, if another one answers', async () => {
    const clock = jest.spyOn(performance, 'now');
    const startMs = performance.now();
    const at = (ms: number) => clock.mockReturnValue(startMs + ms);
    const only = { ...large, order: 0 };
    router.pollSent('large');
    at(4_900);
    expect((await choose([only, { ...small, order: 1 }]))?.provider).toBe('large');
    at(5_100);
    expect((await choose([only, { ...small, order: 1 }]))?.provider).toBe('small');
    expect(await choose([only, { ...small, order: 1 }])).toBeNull();
    expect((await choose([only]))?.provider).toBe('large');
    router.reportPoll('large', true);
    expect((await choose([only, { ...small, order: 1 }]))?.provider).toBe('large');
    clock.mockRestore();
  });

  it('sends no job to an instance that cannot run it unchanged, and reports why if there is no other one', async () => {
    const piped: Route = { provider: 'piped', weight: 1_000_000 };
    const task = { ...TASK, prompt: 'a cat | a dog' };
    expect((await choose([piped, { ...large, order: 0 }], { task }))?.provider).toBe('large');
    expect(await choose([piped], { task })).toBeNull();
    expect(router.findUnsupportedReasons([piped, large], task)).toBeNull();
    expect(router.findUnsupportedReasons([piped], task)).toEqual([expect.stringContaining('|')]);
  });
});
