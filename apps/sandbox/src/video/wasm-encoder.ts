import { createH264MP4Encoder } from 'h264-mp4-encoder';
import { type VideoEncoder, type VideoFormat } from './video-encoder';
import { SECONDS_BETWEEN_KEY_FRAMES, writeMp4 } from './write-mp4';

/** The fastest of 0 to 10: four times as fast as the slowest, for files half as large again. */
const SPEED = 10;
/** Of 10 to 51: lower values make files larger without a visible difference. */
const QUANTIZATION = 23;

/** The encoder that needs no external program. */
export async function createWasmEncoder({ width, height, fps }: VideoFormat): Promise<VideoEncoder> {
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
    add: async (frame) => encoder.addFrameYuv(frame),
    finish: async () => {
      finalize();
      return writeMp4(encoder.FS.readFile(file), fps);
    },
    close: async () => {
      // Its whole module aborts if it is deleted in the middle of a file.
      if (!finalized) finalize();
      encoder.delete();
      // All encoders of a thread share one file system, in memory.
      encoder.FS.unlink(file);
    },
  };
}
