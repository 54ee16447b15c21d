import { BUILT_IN_DECODER, type NodeProgram } from './built-in-decoder';
import { decodeWithFfmpeg, startBuiltInDecoder, startFfmpeg } from './ffmpeg-decoder';
import { pickFrames } from './pick-frames';
import { type Picture, toRgb } from './picture';
import { type ReadVideo, readVideo } from './read-video';
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
  /** Its index in the video, from zero. */
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
