import { decodeWithFfmpeg, startBuiltInDecoder, startFfmpeg } from './ffmpeg-decoder';
import { pickFrames } from './pick-frames';
import { type Picture, toRgb } from './picture';
import { type ReadVideo, readVideo } from './read-video';
import { BUILT_IN_DECODER, type NodeProgram } from './take-video';
import { VideoProblem } from './video-problem';

export interface FrameSampling {
  /** Path of ffmpeg. If empty: the one on PATH, or the built-in decoder if there is none or it cannot decode H.264. */
  ffmpegPath: string;
  /** After this time the sampling fails. */
  timeoutMs: number;
  /** The program of the built-in decoder, for callers that run it from its source. */
  builtInDecoder?: NodeProgram;
}

export interface SampledFrame {
  index: number;
  width: number;
  height: number;
  /** Three bytes for each pixel. */
  rgb: Buffer;
}

/**
 * The frames by which a video is judged, produced one at a time. After the last one, every picture of the video has
 * been decoded.
 * @throws VideoProblem, of reason `cannot_be_judged` if a picture cannot be decoded
 */
export async function* sampleFrames(bytes: Uint8Array, sampling: FrameSampling): AsyncGenerator<SampledFrame> {
  const video = await readVideo(bytes);
  const pictures = decode(video, sampling, AbortSignal.timeout(sampling.timeoutMs));
  const bounds = { frames: video.pictures.length, fps: video.timing.fps };
  for await (const { index, picture } of pickFrames(pictures, bounds)) {
    yield { index, width: picture.width, height: picture.height, rgb: await toRgb(picture) };
  }
}

async function* decode(
  video: ReadVideo,
  { ffmpegPath, builtInDecoder = BUILT_IN_DECODER }: FrameSampling,
  signal: AbortSignal,
): AsyncGenerator<Picture> {
  const ffmpeg = await startFfmpeg(ffmpegPath || 'ffmpeg', signal);
  if (!ffmpeg && ffmpegPath) throw new Error(`There is no ffmpeg at ${ffmpegPath}.`);
  let shown = 0;
  try {
    for await (const picture of ffmpeg ? decodeWithFfmpeg(ffmpeg, video) : []) {
      shown += 1;
      yield picture;
    }
  } catch (error) {
    // An ffmpeg without an H.264 decoder returns no picture at all. After the first picture, the decoder must not
    // change.
    if (shown > 0 || !(error instanceof VideoProblem)) throw error;
  }
  if (shown === 0) yield* decodeWithFfmpeg(await startBuiltInDecoder(builtInDecoder, signal), video);
}

/** Three pictures of 16 by 16 pixels in the High profile, as most tools that use x264 write it: an MP4 of 842 bytes. */
export const TRIAL_VIDEO = Buffer.from(
  [
    'AAAAHGZ0eXBpc29tAAACAGlzb21hdmMxbXA0MQAAAqhtb292AAAAbG12aGQAAAAAAAAAAAAAAAAAAOEAAABUYAABAAABAAAAAAAAAAAAAAAAAQAA',
    'AAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAACNHRyYWsAAABcdGtoZAAAAAMAAAAA',
    'AAAAAAAAAAEAAAAAAABUYAAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAEAAAABAAAAAAAdBtZGlh',
    'AAAAIG1kaGQAAAAAAAAAAAAAAAAAAOEAAABUYFXEAAAAAAA3aGRscgAAAABtaGxydmlkZQAAAAAAAAAAAAAAAE1lZGlhYnVubnlWaWRlb0hhbmRs',
    'ZXIAAAABcW1pbmYAAAAUdm1oZAAAAAEAAAAAAAAAAAAAACRkaW5mAAAAHGRyZWYAAAAAAAAAAQAAAAx1cmwgAAAAAQAAATFzdGJsAAAArXN0c2QA',
    'AAAAAAAAAQAAAJ1hdmMxAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAABAAEABIAAAASAAAAAAAAAABEk1lZGlhYnVubnkgdjEuNjEuMAAAAAAAAAAA',
    'AAAAAAAAGP//AAAAM2F2Y0MBZAAK/+EAFmdkAAqs5HoQAAADABAAAAMBAPEiUSABAAZo6+PLIsD9+PgAAAAAFGJ0cnQAAAAAAAAD8AAACoAAAAAY',
    'c3R0cwAAAAAAAAABAAAAAwAAHCAAAAAcc3RzYwAAAAAAAAABAAAAAQAAAAMAAAABAAAAIHN0c3oAAAAAAAAAAAAAAAMAAAAtAAAAIgAAAC8AAAAU',
    'c3RjbwAAAAAAAAABAAACzAAAABRzdHNzAAAAAAAAAAEAAAABAAAAhm1kYXQAAAApZYiEA3/f2gvJo0/4/igFzarsgihVuWd1ZRMokZm74Kvb8vDL',
    'WJ3Tho8AAAAeQZoljngIoE8CUAqgWALJEf/HkrCf6SEedZanmtyeAAAAK0GaSSeEIQyHLARQJ4EYAgI4DNARQKQI79COYmlYlyMYXF4tgEjzgTEx',
    'B8E=',
  ].join(''),
  'base64',
);

/** Null if a small video in the High profile of H.264 can be decoded, otherwise the reason. */
export async function findDecodingProblem(sampling: FrameSampling): Promise<string | null> {
  try {
    let frames = 0;
    for await (const { width } of sampleFrames(TRIAL_VIDEO, sampling)) frames += width > 0 ? 1 : 0;
    return frames > 0 ? null : 'The decoder of videos returned no picture.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
