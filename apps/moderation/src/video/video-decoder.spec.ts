import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { TYPESCRIPT_ARGUMENTS, createTestLog, waitFor } from '@kinora/testing';
import { BUILT_IN_DECODER } from '@kinora/videos';
import { ModerationConfig } from '../moderation.config';
import { framesToScreen } from './stored-outputs';
import { VideoDecoder } from './video-decoder';

const HIGH_PROFILE = path.join(__dirname, '../../../../libs/videos/recordings/h264-high.mp4');
const builtInDecoder = { ...BUILT_IN_DECODER, execArgv: TYPESCRIPT_ARGUMENTS };

function start(settings: Partial<ModerationConfig>): { decoder: VideoDecoder; lines: () => unknown[] } {
  const { logger, lines } = createTestLog();
  const decoder = new VideoDecoder(Object.assign(new ModerationConfig(), settings), logger);
  decoder.onApplicationBootstrap();
  return { decoder, lines: () => lines };
}

describe('the decoder of videos', () => {
  it('decodes the High profile of H.264, the default of ComfyUI and most tools, without a program of the host', async () => {
    const { decoder, lines } = start({ builtInDecoder });

    expect(await decoder.findProblem()).toBeNull();
    expect(lines()).toEqual([]);
    const frames: Buffer[] = [];
    const sampling = { ffmpegPath: '', builtInDecoder, timeoutMs: 60_000 };
    for await (const { bytes } of framesToScreen(await readFile(HIGH_PROFILE), sampling)) frames.push(bytes);
    expect(frames).toHaveLength(7);
  });

  it('logs at the start that no decoder is available', async () => {
    const { decoder, lines } = start({ ffmpegPath: '/no/ffmpeg', builtInDecoder });

    await waitFor(() => lines().length > 0);
    expect(lines()).toEqual([
      expect.objectContaining({ msg: 'videos_cannot_be_judged', problem: 'There is no ffmpeg at /no/ffmpeg.' }),
    ]);
    expect(await decoder.findProblem()).toBe('There is no ffmpeg at /no/ffmpeg.');
  });
});
