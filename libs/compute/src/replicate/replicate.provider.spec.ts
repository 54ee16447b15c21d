import type { ComputeProvider } from '../compute-provider.port';
import type { ConformanceHarness } from '../conformance/conformance-harness.fixtures';
import { describeConformance } from '../conformance/describe-conformance.fixtures';
import { providerServices, Trial } from '../conformance/trial.fixtures';
import { TEMPLATE_BY_OPERATION, TemplatesFolder } from '../hosted-model/received-input.fixtures';
import { FakeReplicate, WEBHOOK_SECRET } from './fake-replicate.fixtures';
import { ReplicateSettings } from './replicate-listing';
import { replicateType } from './replicate.provider';

const VERSION = 'f'.repeat(64);

describe('replicate', () => {
  let folder: TemplatesFolder;
  let backend: FakeReplicate;
  let provider: ComputeProvider;

  beforeAll(async () => {
    folder = await TemplatesFolder.create('replicate', 'black-forest-labs/flux-dev');
  });
  afterAll(() => folder.remove());

  const settings = Object.assign(new ReplicateSettings(), { webhook_secret: WEBHOOK_SECRET });

  async function start(
    headers: Record<string, string> = {},
  ): Promise<{ backend: FakeReplicate; provider: ComputeProvider }> {
    backend = new FakeReplicate();
    const url = await backend.start();
    const instance = { id: 'replicate', url, headers, concurrency: 32 };
    provider = replicateType.create(instance, settings, providerServices(folder.path));
    return { backend, provider };
  }

  const harness: ConformanceHarness = {
    start,
    templates: TEMPLATE_BY_OPERATION,
    statusWords: {
      starting: 'queued',
      processing: 'running',
      failed: 'failed',
      canceled: 'canceled',
      aborted: 'canceled',
    },
    requestsFor500: 500,
    callbacks: () => {
      const genuine = backend.callback({ id: 'abc', status: 'succeeded' });
      const old = backend.callback({ id: 'abc' }, [WEBHOOK_SECRET], Date.now() - 600_000);
      const stranger = backend.callback({ id: 'abc' }, [`whsec_${Buffer.from('another').toString('base64')}`]);
      const unsigned = { ...genuine, headers: { 'content-type': 'application/json' } };
      const altered = { ...genuine, body: Buffer.from('{"id":"other"}') };
      return Promise.resolve({ genuine, forged: { old, stranger, unsigned, altered } });
    },
    cannot: {
      sent_twice: 'Replicate accepts no id of the client, and makes a prediction of each submission.',
      accepted_with_errors: 'Replicate answers a submission with a prediction or with an error.',
      aborted_at_work: 'The work continues after the request.',
      previews: 'A prediction has outputs only.',
      server_paths: 'Outputs are URLs; other fields are not read.',
      clock_skew: 'A prediction has a duration, and the adapter reads no timestamps.',
    },
  };
  describeConformance('replicate', harness);

  describe('adapter', () => {
    let trial: Trial;
    beforeEach(async () => {
      trial = new Trial(harness, await start());
    });
    afterEach(async () => {
      await provider.close();
      await backend.stop();
    });

    it('runs an official model by its name, and any other by its version, with a deadline', async () => {
      await trial.submit();
      expect(backend.requests[0]).toMatchObject({
        path: '/v1/models/black-forest-labs/flux-dev/predictions',
        headers: { 'cancel-after': '1800s' },
      });
      const versions = await TemplatesFolder.create('replicate', VERSION);
      const instance = { id: 'replicate', url: `${backend.url}/v1`, headers: {}, concurrency: 1 };
      const other = replicateType.create(instance, settings, providerServices(versions.path));
      await other.submit(trial.imageTask(), { signal: new AbortController().signal, onRunning: () => undefined });
      expect(backend.requests[1]?.path).toBe('/v1/predictions');
      expect([...backend.tasks.values()][1]?.body['version']).toBe(VERSION);
      await other.close();
      await versions.remove();
    });

    it('finds a prediction whose answer was lost by its unique callback address, on a later page too', async () => {
      backend.pageSize = 1;
      backend.inject({ kind: 'lose_answers' });
      const [lost, later] = [trial.imageTask(), trial.imageTask()];
      for (const task of [lost, later]) task.callbackUrl = `https://k.example/callbacks/r/${task.id}.mac`;
      expect(await trial.submit(lost)).toMatchObject({ kind: 'unknown' });
      await trial.submit(later);
      backend.begin();
      const upstream = { id: lost.id, ref: null };
      expect(await trial.statusOf(upstream)).toEqual({ state: 'running' });
      expect(await provider.cancel(upstream)).toBe('stopped');
      expect([...backend.tasks.values()].map(({ state }) => state)).toEqual(['canceled', 'running']);
    });

    it('reports a lost answer without a callback address as unknown', async () => {
      backend.inject({ kind: 'lose_answers' });
      const upstream = await trial.upstream(await trial.send());
      expect(await trial.statusOf(upstream)).toEqual({ state: 'unreachable' });
      expect(await provider.cancel(upstream)).toBe('unknown');
      expect(backend.received).toHaveLength(1);
    });

    it('reads the wait from the message of a throttled answer', async () => {
      backend.throttledForSeconds = 30;
      expect(await trial.submit()).toMatchObject({ kind: 'refused', retryAfterMs: 30_000 });
    });

    it.each([
      ['a URL alone', (urls: string[]) => urls[0]],
      ['an object', (urls: string[]) => ({ seed: 7, images: urls })],
      ['a data URI', () => `data:image/png;base64,${Buffer.from('picture').toString('base64')}`],
    ])('finds the file in %s', async (_name, shape) => {
      backend.shapeOutput = shape;
      const sent = await trial.send();
      backend.finish([Buffer.from('picture')]);
      expect(await trial.poll(sent)).toMatchObject({ state: 'succeeded', gpuMs: 1_250 });
      const outputs = await trial.outputs(sent);
      expect(await Promise.all(outputs.map((fetchOutput) => fetchOutput()))).toEqual([Buffer.from('picture')]);
    });

    it('accepts a callback of either secret while they rotate, and reads the prediction from it', async () => {
      const rotating = backend.callback({ id: 'abc' }, [
        `whsec_${Buffer.from('new').toString('base64')}`,
        WEBHOOK_SECRET,
      ]);
      expect(await provider.verifyCallback?.(rotating)).toBe(true);
      expect(provider.refOfCallback?.(rotating)).toEqual({ id: 'abc' });
    });

    it("does not classify a failure by the client's prompt", async () => {
      const sent = await trial.send(trial.imageTask({ prompt: 'NSFW, out of memory' }));
      backend.end('error');
      expect(await trial.poll(sent)).toMatchObject({ state: 'failed', failure: { kind: 'transient' } });
    });

    it('sends no images that exceed the limit of a request', async () => {
      const images = [Buffer.alloc(6_000_000), Buffer.alloc(6_000_000)];
      expect(await trial.submit(trial.editTask(images))).toMatchObject({
        kind: 'failed',
        failure: { kind: 'invalid_input' },
      });
      expect(backend.requests).toEqual([]);
    });
  });
});
