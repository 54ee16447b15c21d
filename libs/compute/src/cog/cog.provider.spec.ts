import { type ManualClock, waitFor } from '@kinora/testing';
import type { ComputeProvider, ProbeReport } from '../compute-provider.port';
import type { ConformanceHarness } from '../conformance/conformance-harness.fixtures';
import { describeConformance } from '../conformance/describe-conformance.fixtures';
import { providerServices, Trial } from '../conformance/trial.fixtures';
import { TEMPLATE_BY_OPERATION, TemplatesFolder } from '../hosted-model/received-input.fixtures';
import { toPredictionId } from './cog-prediction';
import { CogSettings, cogType } from './cog.provider';
import { FakeCog } from './fake-cog.fixtures';

/** How long a backend at work has not answered. */
const AT_WORK_AFTER_MS = 1_000;
const IS_OPEN = 'A prediction exists only in its open request and cannot be polled.';

describe('cog', () => {
  let folder: TemplatesFolder;
  let backend: FakeCog;
  let provider: ComputeProvider;
  let clock: ManualClock;

  beforeAll(async () => {
    folder = await TemplatesFolder.create('cog');
  });
  afterAll(() => folder.remove());

  async function start(headers: Record<string, string> = {}): Promise<{ backend: FakeCog; provider: ComputeProvider }> {
    backend = new FakeCog();
    const url = await backend.start();
    const instance = { id: 'cog', url, headers, concurrency: 4 };
    const services = providerServices(folder.path);
    clock = services.clock;
    provider = cogType.create(instance, new CogSettings(), services);
    return { backend, provider };
  }

  const harness: ConformanceHarness = {
    start,
    templates: TEMPLATE_BY_OPERATION,
    statusWords: {},
    refusals: [409, 503],
    requestsFor500: 1,
    cannot: {
      accepted_with_errors: 'Cog answers with a prediction or with an error.',
      waiting_and_running: IS_OPEN,
      progress: IS_OPEN,
      restarted: IS_OPEN,
      status_words: IS_OPEN,
      unknown_status_word: IS_OPEN,
      blank_status: IS_OPEN,
      answers_in_html: IS_OPEN,
      silent: IS_OPEN,
      interrupted: 'An open request that is canceled elsewhere ends as a failure.',
      only_what_was_asked: IS_OPEN,
      many_tasks: IS_OPEN,
      result_is_error: 'The status of a prediction shows the failure.',
      clock_skew: 'A prediction has a duration, and the adapter reads no timestamps.',
      truncated: 'The outputs are in the answer itself.',
      oversized: 'The outputs are in the answer itself, whose size is bounded.',
      expired: 'The outputs are in the answer itself.',
      previews: 'A prediction has outputs only.',
      server_paths: 'Outputs are data URIs or URLs; other fields are not read.',
      redirected: 'The answer contains the outputs, so nothing is fetched.',
      cancel_waiting: IS_OPEN,
      cancel_running: IS_OPEN,
      cancel_ignored: IS_OPEN,
      cancel_twice: IS_OPEN,
      callback_forged: 'The adapter requests no callbacks from Cog.',
      callback_repeated: 'The adapter requests no callbacks from Cog.',
    },
  };
  describeConformance('cog', harness);

  describe('adapter', () => {
    let trial: Trial;
    beforeEach(async () => {
      trial = new Trial(harness, await start());
    });
    afterEach(async () => {
      await provider.close();
      await backend.stop();
    });

    it('reports the begin of the work, and the result at its end', async () => {
      const some = trial.imageTask({ n: 2 });
      const onRunning = jest.fn();
      const outcome = provider.submit(some, { signal: new AbortController().signal, onRunning });
      await waitFor(() => backend.received.length === 1);
      expect(onRunning).not.toHaveBeenCalled();
      clock.advance(AT_WORK_AFTER_MS);
      expect(onRunning).toHaveBeenCalledTimes(1);
      expect(await trial.statusOf({ id: some.id, ref: null })).toEqual({ state: 'running' });
      backend.finish([Buffer.from('one'), Buffer.from('two')]);
      expect(await outcome).toEqual({
        kind: 'finished',
        outputs: [Buffer.from('one'), Buffer.from('two')],
        gpuMs: 1_250,
      });
    });

    it('derives the id of a prediction from its task, as Cog recommends', () => {
      const { id } = trial.imageTask();
      expect(toPredictionId(id)).toMatch(/^[a-z2-7]{26}$/);
      expect(toPredictionId(id)).toBe(toPredictionId(id));
      expect(toPredictionId(id)).not.toBe(toPredictionId(id.replace(/1$/, '2')));
    });

    it('starts no second prediction under a running id, and does not treat the answer as an end', async () => {
      const { task } = await trial.send();
      expect(await trial.submit(task)).toMatchObject({ kind: 'unknown' });
      expect(backend.received).toHaveLength(1);
    });

    it('reports a task as lost after its request broke, and is refused until the old work ends', async () => {
      Object.assign(backend, { slots: 1, stopsWhenLeft: false });
      backend.inject({ kind: 'lose_answers' });
      const lost = trial.imageTask();
      expect(await trial.submit(lost)).toMatchObject({ kind: 'unknown' });
      expect(await trial.statusOf({ id: lost.id, ref: null })).toEqual({ state: 'not_found' });
      const again = trial.imageTask({ id: lost.id.replace(/1$/, '2') });
      expect(await trial.submit(again)).toMatchObject({ kind: 'refused', retryAfterMs: null });
      backend.finish();
      trial.begin(again);
      await waitFor(() => backend.received.length === 2);
    });

    it('reports unreachable while the container does not answer', async () => {
      await backend.stop();
      expect(await trial.statusOf({ id: trial.imageTask().id, ref: null })).toEqual({ state: 'unreachable' });
      await backend.start();
    });

    it('stops the work by closing its request, where the server supports that', async () => {
      const { task, outcome } = await trial.send();
      await provider.cancel({ id: task.id, ref: null });
      await outcome;
      await waitFor(() => backend.workingCount === 0);
      expect(await provider.cancel({ id: task.id, ref: null })).toBe('too_late');
    });

    it("ignores another task's result", async () => {
      backend.knownId = toPredictionId('another');
      const { outcome } = await trial.send();
      backend.finish();
      expect(await outcome).toMatchObject({ kind: 'unknown' });
    });

    it("does not classify a failure by the client's prompt", async () => {
      const { outcome } = await trial.send(trial.imageTask({ prompt: 'NSFW, out of memory' }));
      backend.end('error');
      expect(await outcome).toMatchObject({ kind: 'failed', failure: { kind: 'transient' }, gpuMs: 1_250 });
    });

    it.each<[string, ProbeReport]>([
      ['READY', { state: 'up', version: '0.16.2', problems: [] }],
      ['BUSY', { state: 'up', version: '0.16.2', freeSlots: 0, problems: [] }],
      ['STARTING', { state: 'degraded', version: '0.16.2', problems: [expect.stringMatching(/set up/) as string] }],
      ['SETUP_FAILED', { state: 'down', version: '0.16.2', problems: [expect.stringMatching(/setup/) as string] }],
      ['DEFUNCT', { state: 'down', version: '0.16.2', problems: [expect.stringMatching(/restart/) as string] }],
      ['UNHEALTHY', { state: 'down', version: '0.16.2', problems: [expect.stringMatching(/fails/) as string] }],
    ])('reports a container that is %s', async (health, report) => {
      backend.health = health;
      expect(await provider.probe()).toEqual(report);
    });

    it('reports fields that the model does not have, and required fields that the template does not send', async () => {
      backend.inputFields = backend.inputFields.filter((field) => field !== 'steps');
      expect(await provider.probe()).toMatchObject({
        state: 'degraded',
        problems: ['The template image sends steps, which the model does not take.'],
      });
    });
  });
});
