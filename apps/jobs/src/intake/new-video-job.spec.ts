import type { LoraInput, VideoGenerationInput } from '@kinora/contracts/jobs/job';
import type { CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { resolvedModel } from '../../test/new-job.fixtures';
import { toNewJob } from './new-job';
import { screenedContent } from './use-cases/create-job/screened-content';

type VideoRequest = Extract<CreateJobRequest, { kind: 'video.generation' }>['input'];

const MODEL = resolvedModel({
  id: 'image-to-video',
  capabilities: { i2v: true, durations: [5, 8], fps: 24, loras: 'url' },
  price: { micros: 50_000, per: 'second', micros_by_size: {} },
  output_frame: { max_pixels: 399_360, side_multiple: 16 },
  loras: [{ id: 'slow-motion', default_strength: 0.6 }],
});
const FRAME = { sha256: 'a', width: 1280, height: 720, mime: 'image/png', object_key: 'inputs/a.png', param: 'image' };

const request = (input: VideoRequest): CreateJobRequest => ({
  kind: 'video.generation',
  account_id: 'account',
  input,
  images: [FRAME],
});
const toJob = (input: VideoRequest, model = MODEL) => toNewJob('job', request(input), model);
const lorasOf = (...loras: LoraInput[]) => toJob({ loras }).plan.loras;

const HIGH = 'https://x.example/high.safetensors';
const LOW = 'https://x.example/low.safetensors';

describe('a new video job', () => {
  it('echoes the request with the resolved values, without the fields of images', () => {
    const { input } = toJob({ negative_prompt: '' });
    expect(input).toEqual({
      negative_prompt: '',
      model: 'image-to-video',
      image: { sha256: 'a', width: 1280, height: 720, mime: 'image/png' },
      size: '832x464',
      duration: 5,
      seed: expect.any(Number) as number,
    } satisfies VideoGenerationInput);
    const all: VideoRequest = {
      prompt: 'p',
      model: 'image-to-video',
      duration: 8,
      seed: 0,
      loras: [{ url: HIGH }],
    };
    expect(toJob(all).input).toMatchObject(all);
  });

  it('costs the price of its seconds, and runs with the current values of the catalog', () => {
    expect(toJob({})).toMatchObject({ price_micros: 250_000, plan: { fps: 24, run_timeout_ms: 2 } });
    expect(toJob({ duration: 8 }).price_micros).toBe(400_000);
    const price = { ...MODEL.price, micros_by_size: { '832x464': 70_000, '464x832': 90_000 } };
    expect(toJob({}, { ...MODEL, price }).price_micros).toBe(350_000);
  });

  it('lasts as long as its model supports, if that is not five seconds', () => {
    const long = { ...MODEL, capabilities: { ...MODEL.capabilities, durations: [8] } };
    expect(toJob({}, long).input).toMatchObject({ duration: 8 });
    expect(() => toJob({ duration: 5 }, long)).toThrow(expect.objectContaining({ param: 'duration' }) as Error);
  });

  it('has a LoRA file for each expert, with the requested or the default strength', () => {
    expect(lorasOf({ url: HIGH, low_url: LOW, strength: 1.5 }, { url: HIGH }, { id: 'slow-motion' })).toEqual([
      { url: HIGH, low_url: LOW, strength: 1.5 },
      { url: HIGH, low_url: HIGH, strength: 0.8 },
      { id: 'slow-motion', strength: 0.6 },
    ]);
  });

  it('is screened by its texts, if it has any, and by its start frame', () => {
    const images = [{ param: 'image', object_key: 'inputs/a.png' }];
    expect(screenedContent(request({}))).toEqual({ texts: [], images });
    expect(screenedContent(request({ prompt: 'p', negative_prompt: 'q' }))).toEqual({
      texts: [
        { param: 'prompt', text: 'p' },
        { param: 'negative_prompt', text: 'q' },
      ],
      images,
    });
  });
});
