import { TYPESCRIPT_ARGUMENTS } from '@kinora/testing';
import { BUILT_IN_DECODER, type SampledFrame, sampleFrames } from '@kinora/videos';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';

export interface ProbedVideo {
  codec: string | null;
  width: number;
  height: number;
  /** Seconds. */
  duration: number;
  fps: number;
}

/** The metadata of a video file, read by a library that did not encode it. */
export async function probeVideo(bytes: Buffer): Promise<ProbedVideo> {
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) throw new Error('The file holds no video.');
    const { averagePacketRate } = await track.computePacketStats();
    const [codec, width, height, duration] = await Promise.all([
      track.getCodec(),
      track.getDisplayWidth(),
      track.getDisplayHeight(),
      track.computeDuration(),
    ]);
    return { codec, width, height, duration, fps: averagePacketRate };
  } finally {
    input.dispose();
  }
}

const SAMPLING = {
  ffmpegPath: '',
  timeoutMs: 20_000,
  builtInDecoder: { ...BUILT_IN_DECODER, execArgv: TYPESCRIPT_ARGUMENTS },
};

export async function framesOf(bytes: Buffer): Promise<SampledFrame[]> {
  const frames: SampledFrame[] = [];
  for await (const frame of sampleFrames(bytes, SAMPLING)) frames.push(frame);
  return frames;
}

/** The difference of two images of one size: the mean over their bytes, from 0 to 255. */
export function meanDifference(one: Buffer, other: Buffer): number {
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;
}
