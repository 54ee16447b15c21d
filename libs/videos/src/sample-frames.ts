import { BUILT_IN_DECODER, type NodeProgram } from './built-in-decoder';
import { decodeWithFfmpeg, startBuiltInDecoder, startFfmpeg } from './ffmpeg-decoder';
import { pickFrames } from './pick-frames';
import { type Picture, toRgb } from './picture';
import { type ReadVideo, readVideo } from './read-video';
import { VideoProblem } from './video-problem';

export interface FrameSampling {
  /** Path of ffmpeg; empty means the one on PATH, or the built-in decoder where there is none or it knows no H.264. */
  ffmpegPath: string;
  /** After that long the sampling fails. */
  timeoutMs: number;
  /** The program of the built-in decoder, for those who run it from its source. */
  builtInDecoder?: NodeProgram;
}

export interface SampledFrame {
  /** Its place in the video, from zero. */
  index: number;
  width: number;
  height: number;
  /** Three bytes a pixel. */
  rgb: Buffer;
}

/**
 * The frames by which a video is judged, each when it is asked for. Every picture of the video has been decoded once the
 * last one was given.
 * @throws VideoProblem, of reason `cannot_be_judged` when a picture cannot be decoded
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
    // One that was built without a decoder of H.264 shows nothing at all; what it began to show it has to end.
    if (shown > 0 || !(error instanceof VideoProblem)) throw error;
  }
  if (shown === 0) yield* decodeWithFfmpeg(await startBuiltInDecoder(builtInDecoder, signal), video);
}
