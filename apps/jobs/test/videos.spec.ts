import { encodeTestVideo, videoOf, waitFor } from '@kinora/testing';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { v7 as uuidv7 } from 'uuid';
import { useJobs } from './jobs-service.fixtures';
import { VideoScreening } from '../src/model/video-screening';

/** A video like those of the fake worker's model: 8 frames a second, 128x96 from a start frame of 129x97. */
function makeVideo({ width = 128, height = 96, fps = 8, frames = 40 } = {}): Promise<Buffer> {
  const frameAt = (index: number): Uint8Array => new Uint8Array(width * height * 4).fill(100 + index);
  return encodeTestVideo({ width, height, fps, frames, frameAt });
}

describe('a video job', () => {
  const jobs = useJobs();

  beforeEach(async () => {
    jobs.worker.output = await makeVideo();
    jobs.worker.stateOnSubmit = 'succeeded';
    jobs.fakes.outputVerdict = 'passed';
  });

  const sent = (jobId: string) => jobs.worker.submitted.find(({ id }) => id.startsWith(jobId))?.body;

  it('ends in one MP4 that is screened, stored, signed and charged by the second', async () => {
    const job = await jobs.animate({ prompt: 'to the left' });
    expect(job).toMatchObject({
      kind: 'video.generation',
      model: 'image-to-video',
      input: { prompt: 'to the left', size: '128x96', duration: 5, image: { width: 129, height: 97 } },
      usage: { charged_micros: 100_000 },
    });
    const done = await jobs.whenEnded(job.id);
    expect(done).toMatchObject({ status: 'succeeded', moderation: { status: 'passed' }, error: null });
    const { url, bytes, ...facts } = videoOf(done);
    expect(facts).toEqual({ mime: 'video/mp4', duration: 5, fps: 8, width: 128, height: 96 });
    const key = /^http:\/\/kinora\.test\/files\/(outputs\/[^?]+\.mp4)\?/.exec(url ?? '')?.[1] ?? '';
    expect(await jobs.objects.stat(key)).toEqual({ mime: 'video/mp4', bytes });
    expect(jobs.fakes.screenedOutputs).toContain(key);
    await jobs.whenHold(job.id, 'captured');
  });

  it('has the size that is wanted, or is refused', async () => {
    for (const wanted_size of ['128x96', '129x97']) {
      const job = await jobs.animate({}, { wanted_size });
      expect(job.input.size).toBe('128x96');
      await jobs.whenEnded(job.id);
    }
    for (const wanted_size of ['96x128', '256x192', 'wide'])
      await expect(jobs.animate({}, { wanted_size })).rejects.toMatchObject({
        code: 'invalid_body',
        param: 'size',
        message: expect.stringContaining('128x96') as string,
      });
  });

  it('is sent with its start frame, its LoRA files and the age-safety terms, even for a minimal request', async () => {
    const url = 'https://x.example/high.safetensors';
    const job = await jobs.animate({ loras: [{ url }], seed: 7 });
    await jobs.whenEnded(job.id);
    expect(sent(job.id)).toEqual({
      operation: 'video.generation',
      prompt: '',
      negative_prompt: expect.stringContaining('underage') as string,
      width: 128,
      height: 96,
      seed: 7,
      duration: 5,
      fps: 8,
      loras: [{ url, low_url: url, strength: 0.8 }],
      images: [{ data: expect.stringMatching(/^iVBOR/) as string }],
    });
    expect((await jobs.get(job.id)).input).toMatchObject({ loras: [{ url }] });
  });

  it('is screened by its start frame before it is created', async () => {
    const screened = jobs.fakes.screenedInputs.length;
    const job = await jobs.animate();
    expect(jobs.fakes.screenedInputs).toHaveLength(screened + 1);
    await jobs.whenEnded(job.id);
  });

  it.each([
    ['is no video', () => Promise.resolve(Buffer.from('no video'))],
    ['has another size', () => makeVideo({ height: 112 })],
    ['is too short', () => makeVideo({ frames: 38 })],
    ['is too long', () => makeVideo({ frames: 64 })],
    ['runs at another speed', () => makeVideo({ fps: 16, frames: 80 })],
  ])('fails with invalid_output, and is refunded, if the video of the worker %s', async (_, make) => {
    const files = await jobs.storedFiles();
    jobs.worker.output = await make();
    const job = await jobs.animate();
    expect(await jobs.whenEnded(job.id)).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_output' },
      usage: { charged_micros: 0 },
      output: null,
    });
    await jobs.whenHold(job.id, 'refunded');
    await waitFor(async () => (await jobs.storedFiles()).every((name) => files.includes(name)));
  });

  it('accepts one more frame, as of models that count in frames, and reports the real duration', async () => {
    jobs.worker.output = await makeVideo({ frames: 41 });
    const job = await jobs.animate();
    expect(videoOf(await jobs.whenEnded(job.id)).duration).toBeCloseTo(41 / 8, 2);
  });

  it('is not created, and its model is not offered, while moderation cannot screen videos', async () => {
    const videos = jobs.service.get(VideoScreening);
    jobs.fakes.videoDecoderProblem = 'There is no ffmpeg at /opt/ffmpeg.';
    await videos.findProblem();
    const reserveCalls = jobs.fakes.reserveCalls;
    const payer = { account_id: jobs.accountId, api_key_id: uuidv7() };
    const listUnoffered = () => jobs.bus.request(jobsRpc.listUnoffered, {});

    expect(await listUnoffered()).toEqual({ operations: ['video.generation'] });
    await expect(jobs.animate()).rejects.toMatchObject({ code: 'model_unavailable', status: 404, param: 'model' });
    await expect(
      jobs.bus.request(jobsRpc.quote, { kind: 'video.generation', input: {}, image_count: 1, ...payer }),
    ).rejects.toMatchObject({ code: 'model_unavailable' });
    expect(jobs.fakes.reserveCalls).toBe(reserveCalls);

    jobs.fakes.videoDecoderProblem = null;
    await videos.findProblem();
    expect(await listUnoffered()).toEqual({ operations: [] });
    expect((await jobs.whenEnded((await jobs.animate()).id)).status).toBe('succeeded');
  });
});
