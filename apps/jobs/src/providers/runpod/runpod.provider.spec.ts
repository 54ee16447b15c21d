import { v7 as uuidv7 } from 'uuid';
import { withAgeSafetyTerms } from '../../job/age-safety';
import type { ComputeProvider, PictureTask, SubmitOutcome, UpstreamStatus } from '../compute-provider.port';
import type { ConformanceHarness } from '../conformance/conformance-harness.fixtures';
import { describeConformance } from '../conformance/describe-conformance.fixtures';
import { providerServices } from '../conformance/provider-services.fixtures';
import { TEMPLATE_BY_OPERATION, TemplatesFolder } from '../hosted-model/received-input.fixtures';
import { FakeRunpod } from './fake-runpod.fixtures';
import { RunpodSettings } from './runpod-settings';
import { runpodType } from './runpod-type';

const WORDS: ConformanceHarness['statusWords'] = {
  IN_QUEUE: 'queued',
  IN_PROGRESS: 'running',
  RUNNING: 'running',
  FAILED: 'failed',
  TIMED_OUT: 'failed',
  CANCELLED: 'canceled',
};

const CANNOT: ConformanceHarness['cannot'] = {
  sent_twice: 'RunPod has no id of ours, and makes a job of each submission.',
  accepted_with_errors: 'RunPod answers a submission with a job or with an error.',
  aborted_at_work: 'The work goes on when the request is over.',
  clock_skew: 'A job says how long it took, and no time of a clock is read.',
  server_paths: 'Only addresses and files themselves are read of an output.',
  previews: 'The workers give results only.',
  callback_forged: 'RunPod signs nothing: whoever knows the address is believed, and the job is read again.',
};

describe('runpod with a plain worker', () => {
  let folder: TemplatesFolder;
  let backend: FakeRunpod;
  let provider: ComputeProvider;

  beforeAll(async () => {
    folder = await TemplatesFolder.create('runpod');
  });
  afterAll(() => folder.remove());

  async function start(
    headers: Record<string, string> = {},
  ): Promise<{ backend: FakeRunpod; provider: ComputeProvider }> {
    backend = new FakeRunpod();
    const url = await backend.start();
    const settings = Object.assign(new RunpodSettings(), { worker: 'plain' });
    const instance = { id: 'runpod', url, headers, concurrency: 32 };
    provider = runpodType.create(instance, settings, providerServices(folder.path));
    return { backend, provider };
  }

  describeConformance('runpod with a plain worker', {
    start,
    templates: TEMPLATE_BY_OPERATION,
    statusWords: WORDS,
    requestsFor500: 500,
    callbacks: () => {
      const body = Buffer.from('{"id":"some-job-u1","status":"COMPLETED"}');
      return Promise.resolve({ genuine: { headers: {}, body }, forged: {} });
    },
    cannot: CANNOT,
  });

  describe('by itself', () => {
    beforeEach(() => start());
    afterEach(async () => {
      await provider.close();
      await backend.stop();
    });

    const task = (parts: Partial<PictureTask> = {}): PictureTask => ({
      id: `${uuidv7()}-1`,
      operation: 'image.generation',
      model: 'm',
      template: 'picture',
      prompt: 'a calm sea',
      negativePrompt: withAgeSafetyTerms(undefined),
      width: 128,
      height: 100,
      seed: 7,
      n: 1,
      loras: [],
      images: [],
      ...parts,
    });
    const submit = (some: PictureTask): Promise<SubmitOutcome> =>
      provider.submit(some, { signal: new AbortController().signal, onRunning: () => undefined });

    async function statusOf(some: PictureTask, outcome: SubmitOutcome): Promise<UpstreamStatus | undefined> {
      const ref = outcome.kind === 'accepted' ? outcome.ref : null;
      return (await provider.statuses([{ id: some.id, ref }])).get(some.id);
    }

    it('bounds what a job may cost, and asks to be called back', async () => {
      await submit(task({ callbackUrl: 'https://k.example/callbacks/x' }));
      expect([...backend.tasks.values()][0]?.body).toMatchObject({
        policy: { executionTimeout: 600_000, ttl: 3_600_000 },
        webhook: 'https://k.example/callbacks/x',
      });
    });

    it('sends no body that RunPod would not take, and leaves the task to another instance', async () => {
      const edit = task({ operation: 'image.edit', template: 'edit', images: [Buffer.alloc(8_000_000)] });
      expect(await submit(edit)).toMatchObject({ kind: 'failed', failure: { kind: 'transient' } });
      expect(backend.requests).toEqual([]);
    });

    it.each([
      ['bare base64', (file: string) => file],
      ['a list', (file: string) => [file]],
      ['an object', (file: string) => ({ image: file, seed: 7, note: 'made with care' })],
      ['a data URI', (file: string) => ({ images: [`data:image/png;base64,${file}`] })],
    ])('finds the file in %s', async (_, shape) => {
      const picture = Buffer.from('89504e470d0a1a0a00ff', 'hex');
      backend.shapeOutput = () => shape(picture.toString('base64'));
      const some = task();
      const outcome = await submit(some);
      backend.finish();
      const status = await statusOf(some, outcome);
      expect(status).toMatchObject({ state: 'succeeded', gpuMs: 2_500 });
      const outputs = status?.state === 'succeeded' ? status.outputs : [];
      expect(await Promise.all(outputs.map((fetchOutput) => fetchOutput()))).toEqual([picture]);
    });

    it('takes no callback for one that does not speak its language', async () => {
      expect(await provider.verifyCallback?.({ headers: {}, body: Buffer.from('hello') })).toBe(false);
    });
  });
});
