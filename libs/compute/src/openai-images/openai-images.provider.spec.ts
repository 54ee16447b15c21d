import { type ManualClock, waitFor } from '@kinora/testing';
import { IMAGE } from '../conformance/files.fixtures';
import { withAgeSafetyTerms } from '../instance-definition';
import type { ComputeProvider, UpstreamTask } from '../compute-provider.port';
import type { ConformanceHarness } from '../conformance/conformance-harness.fixtures';
import { describeConformance } from '../conformance/describe-conformance.fixtures';
import { providerServices, Trial } from '../conformance/trial.fixtures';
import { FakeOpenAiServer } from './fake-openai-server.fixtures';
import { type DialectName, OpenAiImagesSettings } from './openai-images-settings';
import { openAiImagesType } from './openai-images.provider';

/** How long a backend at work has not answered. */
const AT_WORK_AFTER_MS = 1_000;

const VIDEO_WORDS: ConformanceHarness['statusWords'] = {
  queued: 'queued',
  in_progress: 'running',
  completed: 'succeeded',
  failed: 'failed',
};

const NO_CALLBACKS = {
  callback_forged: 'None of these servers sends callbacks.',
  callback_repeated: 'None of these servers sends callbacks.',
};
const IS_OPEN = 'An image exists only in its open request and cannot be polled.';
const NOT_REPORTED = 'The protocol has no status for it.';

/** The scenarios that do not apply to images, whose answer has the result, with the reasons. */
const NOT_WITH_THE_ANSWER: ConformanceHarness['cannot'] = {
  ...NO_CALLBACKS,
  sent_twice: 'Requests have no id of the client, so a second one is a second image.',
  accepted_with_errors: NOT_REPORTED,
  waiting_and_running: IS_OPEN,
  progress: IS_OPEN,
  restarted: IS_OPEN,
  status_words: IS_OPEN,
  unknown_status_word: IS_OPEN,
  blank_status: IS_OPEN,
  answers_in_html: IS_OPEN,
  silent: IS_OPEN,
  interrupted: IS_OPEN,
  only_what_was_asked: IS_OPEN,
  many_tasks: IS_OPEN,
  result_is_error: NOT_REPORTED,
  expired: 'The image is in the answer itself.',
  previews: NOT_REPORTED,
  cancel_waiting: IS_OPEN,
  cancel_running: IS_OPEN,
  cancel_ignored: IS_OPEN,
  cancel_twice: IS_OPEN,
};

/** The scenarios that do not apply to videos, which are polled, with the reasons. */
const NOT_LATER: ConformanceHarness['cannot'] = {
  ...NO_CALLBACKS,
  sent_twice: 'Requests have no id of the client, so a second one is a second video.',
  accepted_with_errors: NOT_REPORTED,
  many_tasks: 'Each video is polled by a request of its own.',
  aborted_at_work: 'The work continues after the request.',
  result_is_error: NOT_REPORTED,
  previews: NOT_REPORTED,
};

async function startInstance(
  dialect: DialectName,
  headers: Record<string, string>,
): Promise<{ backend: FakeOpenAiServer; provider: ComputeProvider; clock: ManualClock }> {
  const backend = await FakeOpenAiServer.start(dialect);
  const settings = Object.assign(new OpenAiImagesSettings(), { dialect });
  const instance = { id: 'gpu-a', url: backend.url, headers, concurrency: 4 };
  const services = providerServices();
  return { backend, provider: openAiImagesType.create(instance, settings, services), clock: services.clock };
}

function harnessOf(
  dialect: DialectName,
  parts: Pick<ConformanceHarness, 'cannot'> & Partial<ConformanceHarness>,
): ConformanceHarness {
  return {
    start: (headers) => startInstance(dialect, headers),
    statusWords: VIDEO_WORDS,
    requestsFor500: 500,
    ...parts,
  };
}

describeConformance('vLLM-Omni, images', harnessOf('vllm-omni', { cannot: NOT_WITH_THE_ANSWER }));
describeConformance('SGLang, images', harnessOf('sglang', { cannot: NOT_WITH_THE_ANSWER }));
describeConformance(
  'LocalAI',
  harnessOf('localai', {
    cannot: {
      ...NOT_WITH_THE_ANSWER,
      age_safety_terms: 'The negative prompt is sent in another form; see the spec of its dialect.',
    },
  }),
);

describeConformance(
  'vLLM-Omni, videos',
  harnessOf('vllm-omni', {
    operation: 'video.generation',
    reportProgress: ({ backend }, progress) => (backend as FakeOpenAiServer).report(progress),
    cannot: {
      ...NOT_LATER,
      interrupted: NOT_REPORTED,
      cancel_ignored: 'A cancel deletes the record, whatever the engine does afterwards.',
    },
  }),
);
describeConformance(
  'SGLang, videos',
  harnessOf('sglang', {
    operation: 'video.generation',
    reportProgress: ({ backend }, progress) => (backend as FakeOpenAiServer).report(progress),
    statusWords: { ...VIDEO_WORDS, cancelling: 'running', cancelled: 'canceled' },
    cannot: NOT_LATER,
  }),
);

describe('openai-images adapter', () => {
  let backend: FakeOpenAiServer;
  let provider: ComputeProvider;
  let clock: ManualClock;
  let trial: Trial;

  async function start(dialect: DialectName): Promise<void> {
    ({ backend, provider, clock } = await startInstance(dialect, {}));
    trial = new Trial(harnessOf(dialect, { cannot: {} }), { backend, provider });
  }
  afterEach(async () => {
    await provider.close();
    await backend.stop();
  });

  const submitVideo = async (): Promise<UpstreamTask> => trial.upstream(await trial.send(trial.videoTask(IMAGE)));

  it('sends the age-safety terms to LocalAI, which has no field for them', async () => {
    await start('localai');
    const negativePrompt = withAgeSafetyTerms('fog | rain');
    const { outcome } = await trial.send(trial.imageTask({ negativePrompt }));
    backend.finish();
    expect((await outcome).kind).toBe('finished');
    expect(backend.received[0]).toMatchObject({
      prompt: 'a calm sea',
      negativePrompt: `${withAgeSafetyTerms(undefined)}, fog   rain`,
    });
  });

  it('reports an image as running after a second without an answer, and not a refused one', async () => {
    await start('vllm-omni');
    backend.inject({ kind: 'refuse', status: 503 });
    const onRunning = jest.fn();
    const task = trial.imageTask();
    await provider.submit(task, { signal: new AbortController().signal, onRunning });
    clock.advance(AT_WORK_AFTER_MS);
    expect(onRunning).not.toHaveBeenCalled();
    const taken = await startInstance('vllm-omni', {});
    void taken.provider.submit(task, { signal: new AbortController().signal, onRunning });
    await waitFor(() => taken.backend.workingCount === 1);
    taken.clock.advance(AT_WORK_AFTER_MS);
    expect(onRunning).toHaveBeenCalledTimes(1);
    const statuses = await taken.provider.statuses([{ id: task.id, ref: null }]);
    expect(statuses).toEqual(new Map([[task.id, { state: 'running' }]]));
    await taken.provider.close();
    await taken.backend.stop();
  });

  it('accepts the base URL of OpenAI clients too', async () => {
    await start('sglang');
    const instance = { id: 'gpu-b', url: `${backend.url}/v1/`, headers: {}, concurrency: 1 };
    const settings = Object.assign(new OpenAiImagesSettings(), { dialect: 'sglang' });
    const other = openAiImagesType.create(instance, settings, providerServices());
    expect(await other.probe()).toEqual({ state: 'up', problems: [] });
    expect(backend.requests.map(({ path }) => path)).toEqual(['/v1/models']);
    await other.close();
  });

  it('closes the connection of a canceled image', async () => {
    await start('sglang');
    const { task, outcome } = await trial.send();
    expect(await provider.cancel({ id: task.id, ref: null })).toBe('unknown');
    expect(await outcome).toMatchObject({ kind: 'unknown' });
    await waitFor(() => backend.workingCount === 0);
  });

  it('does not treat text of a prompt as a verdict of a filter', async () => {
    await start('vllm-omni');
    const { outcome } = await trial.send(trial.imageTask({ prompt: 'nsfw content policy' }));
    backend.end('error');
    expect(await outcome).toMatchObject({ kind: 'failed', failure: { kind: 'transient' } });
  });

  it('returns an empty file for an invalid output, so that jobs detects it', async () => {
    await start('vllm-omni');
    const { outcome } = await trial.send(trial.imageTask({ n: 2 }));
    backend.breakEntry = true;
    backend.finish([IMAGE, IMAGE]);
    expect(await outcome).toMatchObject({ kind: 'finished', outputs: [IMAGE, Buffer.alloc(0)] });
  });

  it('reports a video of vLLM-Omni as stopped only if it had not begun', async () => {
    await start('vllm-omni');
    expect(await provider.cancel(await submitVideo())).toBe('stopped');
    const begun = await submitVideo();
    backend.begin();
    expect(await provider.cancel(begun)).toBe('unknown');
    expect(await trial.statusOf(begun)).toEqual({ state: 'not_found' });
  });

  it("ignores another video's end in the answer to a cancel, and deletes nothing", async () => {
    await start('sglang');
    const video = await submitVideo();
    backend.knownId = 'video_gen_other';
    expect(await provider.cancel(video)).toBe('unknown');
    expect(backend.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  it('keeps the record of a video where an old SGLang would only hide it, and reports its cost', async () => {
    await start('sglang');
    backend.isOld = true;
    const video = await submitVideo();
    backend.begin();
    expect(await provider.cancel(video)).toBe('unknown');
    expect(await trial.statusOf(video)).toEqual({ state: 'running', progress: 0 });
    backend.finish();
    expect(await provider.cancel(video)).toBe('too_late');
    expect(await trial.statusOf(video)).toMatchObject({ state: 'succeeded', gpuMs: 4_200 });
    expect(backend.requests.at(-2)?.method).toBe('DELETE');
  });
});
