import { createH264MP4Encoder } from 'h264-mp4-encoder';
import {
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { type VideoEncoder, type VideoFormat } from './video-encoder';
import { undated } from './mp4-boxes';

/** Fastest of 0 to 10: four times as fast as the slowest, for files half as large again. */
const SPEED = 10;
/** Of 10 to 51: below this files grow and nobody sees why. */
const QUANTIZATION = 23;
const SECONDS_BETWEEN_KEY_FRAMES = 2;

/** The encoder that needs no program on the machine. */
export async function createWasmEncoder({ width, height, fps }: VideoFormat): Promise<VideoEncoder> {
  const encoder = await createH264MP4Encoder();
  // It knows whole rates only, so all times are written anew.
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
      return retimed(encoder.FS.readFile(file), fps);
    },
    close: async () => {
      // It aborts its whole module when it is deleted in the middle of a file.
      if (!finalized) finalize();
      encoder.delete();
      // All encoders of a thread share one file system, in memory.
      encoder.FS.unlink(file);
    },
  };
}

/** The same pictures at their exact times, with the index in front, so that a player can begin before it has read everything. */
async function retimed(file: Uint8Array, fps: number): Promise<Uint8Array> {
  const input = new Input({ source: new BufferSource(file), formats: [MP4] });
  const track = await input.getPrimaryVideoTrack();
  const decoderConfig = await track?.getDecoderConfig();
  if (!track || !decoderConfig) throw new Error('The encoder has written no video.');
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const source = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(source, { frameRate: fps });
  await output.start();
  let frame = 0;
  for await (const packet of new EncodedPacketSink(track).packets()) {
    await source.add(packet.clone({ timestamp: frame / fps, duration: 1 / fps }), { decoderConfig });
    frame += 1;
  }
  await output.finalize();
  if (!target.buffer) throw new Error('The video was not written.');
  return undated(new Uint8Array(target.buffer));
}
