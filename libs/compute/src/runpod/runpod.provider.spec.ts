import type { ComputeProvider } from '../compute-provider.port';
import type { ConformanceHarness } from '../conformance/conformance-harness.fixtures';
import { describeConformance } from '../conformance/describe-conformance.fixtures';
import { Trial } from '../conformance/trial.fixtures';
import { TEMPLATE_BY_OPERATION, TemplatesFolder } from '../hosted-model/received-input.fixtures';
import type { FakeRunpod } from './fake-runpod.fixtures';
import { ENDPOINT, startEndpoint } from './runpod-harness.fixtures';
import { countWorkers } from './runpod-job';

describe('runpod with a plain worker', () => {
  let folder: TemplatesFolder;
  let backend: FakeRunpod;
  let provider: ComputeProvider;

  beforeAll(async () => {
    folder = await TemplatesFolder.create('runpod');
  });
  afterAll(() => folder.remove());

  const harness: ConformanceHarness = {
    ...ENDPOINT,
    start: (headers) => startEndpoint('plain', folder.path, headers),
    templates: TEMPLATE_BY_OPERATION,
  };
  describeConformance('runpod with a plain worker', harness);

  describe('adapter', () => {
    let trial: Trial;
    beforeEach(async () => {
      ({ backend, provider } = await startEndpoint('plain', folder.path));
      trial = new Trial(harness, { backend, provider });
    });
    afterEach(async () => {
      await provider.close();
      await backend.stop();
    });

    it('bounds the cost of a job, and requests a callback', async () => {
      await trial.submit(trial.imageTask({ callbackUrl: 'https://k.example/callbacks/x' }));
      expect([...backend.tasks.values()][0]?.body).toMatchObject({
        policy: { executionTimeout: 600_000, ttl: 3_600_000 },
        webhook: 'https://k.example/callbacks/x',
      });
    });

    it('sends no body above the limit of RunPod, and fails as transient, for another instance', async () => {
      const edit = trial.editTask([Buffer.alloc(8_000_000)]);
      expect(await trial.submit(edit)).toMatchObject({ kind: 'failed', failure: { kind: 'transient' } });
      expect(backend.requests).toEqual([]);
    });

    it.each([
      ['bare base64', (file: string) => file],
      ['a list', (file: string) => [file]],
      ['an object', (file: string) => ({ image: file, seed: 7, note: 'made with care' })],
      ['a data URI', (file: string) => ({ images: [`data:image/png;base64,${file}`] })],
    ])('finds the file in %s', async (_, shape) => {
      const image = Buffer.from('89504e470d0a1a0a00ff', 'hex');
      backend.shapeOutput = () => shape(image.toString('base64'));
      const sent = await trial.send();
      backend.finish();
      expect(await trial.poll(sent)).toMatchObject({ state: 'succeeded', gpuMs: 2_500 });
      const outputs = await trial.outputs(sent);
      expect(await Promise.all(outputs.map((fetchOutput) => fetchOutput()))).toEqual([image]);
    });

    it('reports the number of workers, and throws where RunPod is down', async () => {
      expect(await provider.readCapacity?.()).toEqual({ concurrency: 1, interleaves: false });
      await backend.stop();
      await expect(provider.readCapacity?.()).rejects.toThrow();
      await backend.start();
    });

    it('ignores the answer about another job', async () => {
      const sent = await trial.send();
      await trial.submit();
      backend.finish();
      const [requested, other] = [...backend.tasks.values()];
      if (requested && other) requested.id = other.id;
      expect(await trial.poll(sent)).toEqual({ state: 'unreachable' });
    });

    it("ignores another job's end in the answer to a cancel", async () => {
      const upstream = await trial.upstream(await trial.send());
      backend.knownId = 'another';
      expect(await provider.cancel(upstream)).toBe('unknown');
    });

    it('refuses a callback of unknown format', async () => {
      expect(await provider.verifyCallback?.({ headers: {}, body: Buffer.from('hello') })).toBe(false);
    });
  });
});

describe('the workers of an endpoint', () => {
  it.each([
    [{ workers: { idle: 1, running: 2 } }, 3],
    [{ workers: { idle: 0, initializing: 1, ready: 4, running: 2, throttled: 3, unhealthy: 1 } }, 3],
    [{ workers: { idle: 0, running: 0 } }, 0],
    [{ workers: { idle: -1, running: 'two' } }, 0],
    [{ workers: {} }, null],
    [{ jobs: {} }, null],
    ['hello', null],
  ])('of %j are %s', (answer, count) => {
    expect(countWorkers(answer)).toBe(count);
  });
});
