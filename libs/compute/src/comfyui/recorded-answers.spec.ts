import { parseJson } from '../http/json-answer';
import { parseHistory, listResults } from './history-entry';
import { readPromptAnswer } from './prompt-answer';
import type { Graph } from './graph';
import { PromptProgress } from './prompt-progress';
import { parseQueue } from './queue-listing';
import {
  readAnswer,
  readExchanges,
  readRecording,
  RECORDED_VERSIONS,
  type RecordedVersion,
} from './recordings.fixtures';

function endOf(version: RecordedVersion, name: string): ReturnType<typeof parseHistory> {
  const answer = parseJson(readAnswer(version, name).body) as Record<string, unknown>;
  const [promptId = ''] = Object.keys(answer);
  return parseHistory(answer, promptId);
}

describe.each(RECORDED_VERSIONS)('a recorded answer of ComfyUI %s', (version) => {
  const answerTo = (name: string) => readPromptAnswer(readAnswer(version, name), 'a-task');

  it.each<[string, string, object]>([
    [
      'a success with its files in order, wherever they lie',
      'history-success-image-batch3',
      {
        kind: 'succeeded',
        files: [1, 2, 3].map((count) => ({ filename: `a-batch_0000${count}_.png`, subfolder: 'jobs' })),
        gpuMs: expect.any(Number),
      },
    ],
    [
      'a success with a video among the images',
      'history-success-video',
      { kind: 'succeeded', files: [{ filename: 'c-vid_00001_.mp4', subfolder: 'video' }] },
    ],
    [
      'a success without previews',
      'history-success-webm-webp-preview',
      { files: [{ filename: expect.stringMatching(/webm$/) }, { filename: expect.stringMatching(/webp$/) }] },
    ],
    ['an interrupt, and no failure', 'history-interrupted', { kind: 'interrupted', gpuMs: expect.any(Number) }],
    ['a failure, and no interrupt', 'history-error-partial-outputs', { kind: 'failed' }],
    ['a success when the interrupt came too late', 'interrupt-too-late', { kind: 'succeeded' }],
    [
      'a failure whose reason has no path of the server',
      'history-error-corrupt-input',
      {
        kind: 'failed',
        failure: {
          kind: 'invalid_input',
          reason: 'LoadImage: PIL.UnidentifiedImageError: cannot identify image file …',
          isOutOfMemory: false,
        },
      },
    ],
    [
      'an out-of-memory error on a CPU',
      'history-error-memory-cpu',
      { failure: { kind: 'transient', isOutOfMemory: true } },
    ],
  ])('is %s', (_title, name, end) => {
    expect(endOf(version, name)).toMatchObject(end);
  });

  it('keeps an id that Kinora did not choose', () => {
    expect(answerTo('prompt-ok-own-prompt-id')).toEqual({
      kind: 'accepted',
      ref: { prompt_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      isRunning: false,
    });
  });

  it('is unknown for an id that is not valid in a path', () => {
    const body = Buffer.from('{"prompt_id":"../system_stats","node_errors":{}}');
    expect(readPromptAnswer({ status: 200, headers: {}, body }, 'x-1')).toMatchObject({ kind: 'unknown' });
  });

  it('accepts and drops an output in the same answer', () => {
    expect(answerTo('prompt-ok-with-node-errors')).toMatchObject({
      kind: 'accepted_with_errors',
      failure: { reason: 'custom_validation_failed at LoadImage.image' },
    });
  });

  it.each([
    ['prompt-invalid-unknown-class', 'transient', 'the server has no node of class NoSuchNode'],
    ['prompt-invalid-missing-image', 'transient', 'custom_validation_failed at LoadImage.image'],
    [
      'prompt-invalid-missing-models',
      'transient',
      'value_not_in_list at CheckpointLoaderSimple.ckpt_name, value_not_in_list at LoraLoader.lora_name, ' +
        'value_not_in_list at LoraLoader.lora_name',
    ],
    ['prompt-invalid-value-not-in-list', 'invalid_input', 'value_not_in_list at ImageScale.upscale_method'],
    ['prompt-invalid-too-big', 'invalid_input', 'value_bigger_than_max at EmptyImage.width'],
  ])('%s is %s', (name, kind, reason) => {
    expect(answerTo(name)).toEqual({ kind: 'failed', failure: { kind, reason }, gpuMs: null });
  });

  it('lists what runs and what waits', () => {
    const queues = readExchanges(version, 'queue-clear')
      .filter(({ request }) => request.path === '/queue' && request.method === 'GET')
      .map(({ response }) => parseQueue(response.body));
    expect(queues[0]?.running.size).toBe(1);
    expect(queues[0]?.pending.size).toBe(0);
  });
});

describe.each(RECORDED_VERSIONS)('the recorded events of ComfyUI %s', (version) => {
  it('raise the progress of a prompt to 1', () => {
    const { frames = [], prompt_body: body, prompt_id: promptId = '' } = readRecording(version, 'ws-success');
    const progress = new PromptProgress();
    progress.add(promptId, (body?.prompt ?? {}) as Graph);
    const seen: number[] = [];
    for (const { kind, data } of frames) {
      if (kind !== 'text' || !data) continue;
      progress.note(data.type, data.data as Record<string, unknown>);
      seen.push(progress.of(promptId) ?? -1);
    }
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect([seen[0], seen.at(-1)]).toEqual([-1, 1]);
    expect(new Set(seen).size).toBeGreaterThan(Object.keys(body?.prompt ?? {}).length);
  });
});

describe('the progress of a prompt', () => {
  const graph = (...steps: number[]): Graph =>
    Object.fromEntries(steps.map((each, id) => [String(id), { class_type: 'X', inputs: { steps: each } }]));
  const state = (nodes: object) => ({ prompt_id: 'p', nodes });

  it('weighs nodes by their sampling steps, and counts cached nodes as done', () => {
    const progress = new PromptProgress();
    progress.add('p', graph(20, 0, 0));
    progress.note('execution_cached', { prompt_id: 'p', nodes: ['1'] });
    expect(progress.of('p')).toBeCloseTo(1 / 22);
    progress.note('progress_state', state({ 0: { value: 10, max: 20, state: 'running' } }));
    expect(progress.of('p')).toBeCloseTo(11 / 22);
  });

  it('is unknown for prompts of others, and ignores what is no part', () => {
    const progress = new PromptProgress();
    progress.note('progress_state', { prompt_id: 'q', nodes: { 0: { value: 1, max: 1 } } });
    expect(progress.of('q')).toBeUndefined();
    progress.add('p', graph(1));
    progress.note('progress_state', state({ 0: { value: 3, max: 0 }, 9: 'x' }));
    expect(progress.of('p')).toBe(0);
  });
});

describe('an answer with custom nodes', () => {
  it('is an out-of-memory error on a card', () => {
    expect(endOf('0.12.1', 'history-error-cuda-oom-envelope')).toMatchObject({
      failure: {
        kind: 'transient',
        isOutOfMemory: true,
        reason: expect.stringMatching(/^RaiseOOM: torch.OutOfMemoryError: CUDA/),
      },
    });
  });

  it('is an end without files when an output was blocked', () => {
    expect(endOf('0.12.1', 'history-success-but-blocked')).toMatchObject({
      kind: 'succeeded',
      files: [],
    });
  });

  it('is a success without a status', () => {
    const files = { gifs: [{ filename: 'a.mp4', subfolder: 's', type: 'output', fullpath: '/srv/output/s/a.mp4' }] };
    expect(parseHistory({ id: { outputs: { '9': files }, status: null } }, 'id')).toEqual({
      kind: 'succeeded',
      files: [{ filename: 'a.mp4', subfolder: 's' }],
      gpuMs: null,
    });
  });
});

describe('the reason of a failure', () => {
  it('holds no text of the graph', () => {
    const graph = { '4': { inputs: { text: 'a red fox\nat night', steps: 4 } } };
    const event = {
      node_type: 'Encode',
      exception_type: 'ValueError',
      exception_message:
        'bad token in a red fox\nat night of https://gpu.example/x?key=1 at C:\\models\\y.safetensors, sorry',
    };
    const status = { status_str: 'error', messages: [['execution_error', event]] };
    expect(parseHistory({ id: { prompt: [1, 'id', graph, {}, []], outputs: {}, status } }, 'id')).toMatchObject({
      failure: { reason: 'Encode: ValueError: bad token in … of … at …, sorry' },
    });
  });
});

const file = (filename: string) => ({ filename, subfolder: 'jobs/x', type: 'output' });

describe('results', () => {
  it('are in the order of their seeds, in whatever order their nodes ran', () => {
    const outputs = {
      sampler: { images: [file('out-3_00001_.png')] },
      '31': { images: [file('out-10_00001_.png')] },
      '12': { images: [file('out_00001_.png'), file('out-2_00001_.png')] },
    };
    expect(listResults(outputs).map(({ filename }) => filename)).toEqual([
      'out_00001_.png',
      'out-2_00001_.png',
      'out-3_00001_.png',
      'out-10_00001_.png',
    ]);
  });

  it('are the files that the graph saves, without its previews', () => {
    const images = [{ ...file('preview.png'), type: 'temp' }, file('out_00001_.png')];
    expect(listResults({ '7': { images } })).toEqual([{ filename: 'out_00001_.png', subfolder: 'jobs/x' }]);
  });

  it('keep the order of a batch', () => {
    const images = [file('out_00001_.png'), file('out_00002_.png'), file('other.png')];
    expect(listResults({ '7': { images } }).map(({ filename }) => filename)).toEqual(
      images.map(({ filename }) => filename),
    );
  });
});
