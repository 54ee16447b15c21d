import { createH264MP4Encoder } from 'h264-mp4-encoder';
import { SECONDS_BETWEEN_KEY_FRAMES, writeMp4 } from './write-mp4';

/** The fastest of 0 to 10: four times as fast as the slowest, for files half as large again. */
const SPEED = 10;
/** Of 10 to 51: lower values make files larger without a visible difference. */
const QUANTIZATION = 23;

/** Encodes frames into a video file, one after the other; none of them is kept. */
export interface VideoEncoder {
  /** Takes a frame as the bytes of its three planes. */
  add(frame: Uint8Array): void;
  finish(): Promise<Uint8Array>;
  /** Frees all resources, finished or not. */
  close(): void;
}

/** Both sides are even; `fps` are frames per second. */
export async function createEncoder(width: number, height: number, fps: number): Promise<VideoEncoder> {
  const encoder = await createH264MP4Encoder();
  // The encoder supports whole rates only, so all times are rewritten.
  Object.assign(encoder, {
    width,
    height,
    frameRate: Math.max(1, Math.round(fps)),
    speed: SPEED,
    quantizationParameter: QUANTIZATION,
    groupOfPictures: Math.max(1, Math.round(fps * SECONDS_BETWEEN_KEY_FRAMES)),
  });
  encoder.initialize();
  const file = encoder.outputFilename;
  let finalized = false;
  const finalize = (): void => {
    encoder.finalize();
    finalized = true;
  };
  return {
    add: (frame) => encoder.addFrameYuv(frame),
    finish: async () => {
      finalize();
      return writeMp4(encoder.FS.readFile(file), fps);
    },
    close: () => {
      // Its whole module aborts if it is deleted in the middle of a file.
      if (!finalized) finalize();
      encoder.delete();
      // All encoders of a thread share one file system, in memory.
      encoder.FS.unlink(file);
    },
  };
}
