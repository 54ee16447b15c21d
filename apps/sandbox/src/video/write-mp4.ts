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
import { undated } from './mp4-boxes';

/**
 * Often enough to seek in a long video. A short one has a single key frame, because each one causes a slight visible
 * change of the grain.
 */
export const SECONDS_BETWEEN_KEY_FRAMES = 10;

/**
 * Copies the images from an encoder's file, in which each follows the one before, and writes them at their exact
 * times. The index comes first, so that a player can begin before it has read everything.
 */
export async function writeMp4(file: Uint8Array, fps: number): Promise<Uint8Array> {
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
