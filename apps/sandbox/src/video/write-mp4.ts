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

/** Often enough to jump about in a long video; a short one has one only, as each shows as a slight jolt of its grain. */
export const SECONDS_BETWEEN_KEY_FRAMES = 10;

/**
 * Takes the pictures out of an encoder's file, in which each follows the one before, and writes them at their exact times, with
 * the index in front, so that a player can begin before it has read everything.
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
