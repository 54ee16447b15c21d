import { BufferSource, EncodedPacketSink, Input, type InputVideoTrack, LogLevel, Logging, MP4, QTFF } from 'mediabunny';
import { assertReadable } from './container-checks';
import { type DecoderParameters, readAvcC } from './decoder-parameters';
import { type CodedPicture, readPicture } from './nal-units';
import { type SequenceParameters, readSequenceParameters } from './sequence-parameters';
import { type Timing, measureTiming } from './timing';
import { VIDEO_BOUNDS, VideoProblem } from './video-problem';

/** Everything that is read from a container: pictures in the order of decoding, and how they are shown. */
export interface ReadVideo {
  parameters: DecoderParameters;
  pictures: CodedPicture[];
  frame: SequenceParameters;
  timing: Timing;
}

/** @throws VideoProblem for anything but an upright H.264 video within the bounds */
export async function readVideo(bytes: Uint8Array): Promise<ReadVideo> {
  assertReadable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  // Errors of an untrusted file are thrown, and the caller logs them once.
  Logging.level = LogLevel.Silent;
  const input = new Input({ source: new BufferSource(bytes), formats: [MP4, QTFF] });
  try {
    return await readTrack(await theVideoTrack(input), bytes.length);
  } catch (cause) {
    if (cause instanceof VideoProblem) throw cause;
    // The demuxer throws many kinds of errors on damaged files.
    throw new VideoProblem('damaged', 'The video is cut off or damaged.', { cause });
  } finally {
    input.dispose();
  }
}

async function theVideoTrack(input: Input): Promise<InputVideoTrack> {
  const [track, ...more] = await input.getVideoTracks();
  if (!track) throw new VideoProblem('not_a_video', 'The file contains no video track.');
  if (more.length > 0) throw new VideoProblem('unsupported', 'The file contains more than one video track.');
  if ((await track.getCodec()) !== 'avc') throw new VideoProblem('unsupported', 'The video is not encoded in H.264.');
  // Models draw upright; players would show turned pictures differently from how they were judged.
  if ((await track.getRotation()) !== 0 || (await track.getFlip())) {
    throw new VideoProblem('unsupported', 'The video is stored turned or mirrored.');
  }
  return track;
}

async function readTrack(track: InputVideoTrack, fileBytes: number): Promise<ReadVideo> {
  // The library types it by a browser type, which Node's types do not have.
  const description: unknown = (await track.getDecoderConfig())?.description;
  if (!(description instanceof Uint8Array)) {
    throw new VideoProblem('damaged', 'The H.264 parameters of the video cannot be read.');
  }
  const { parameters, lengthBytes } = readAvcC(description);
  const frame = readSequenceParameters(parameters.sequence);
  assertSides(frame);
  const packets = await readPackets(track, fileBytes);
  const pictures = packets.map(({ data }) => readPicture(data, lengthBytes, parameters));
  if (pictures[0]?.isKey !== true) throw new VideoProblem('damaged', 'The video does not begin with a whole picture.');
  const timestamps = packets.map(({ timestamp }) => timestamp);
  return { parameters, pictures, frame, timing: measureTiming(timestamps, packets[0]?.duration ?? 0) };
}

function assertSides({ width, height }: SequenceParameters): void {
  const { minSidePx, maxSidePx } = VIDEO_BOUNDS;
  if (Math.min(width, height) < minSidePx)
    throw new VideoProblem('damaged', `The video has fewer than ${minSidePx} pixels on a side.`);
  if (Math.max(width, height) > maxSidePx) {
    throw new VideoProblem('too_large_side', `The video has more than ${maxSidePx} pixels on a side.`);
  }
}

interface Packet {
  data: Uint8Array;
  timestamp: number;
  duration: number;
}

async function readPackets(track: InputVideoTrack, fileBytes: number): Promise<Packet[]> {
  const sink = new EncodedPacketSink(track);
  const packets: Packet[] = [];
  let bytes = 0;
  for (let packet = await sink.getFirstPacket(); packet; packet = await sink.getNextPacket(packet)) {
    packets.push(packet);
    bytes += packet.data.length;
    if (packets.length > VIDEO_BOUNDS.maxFrames) {
      throw new VideoProblem('too_many_frames', `The video has more than ${VIDEO_BOUNDS.maxFrames} pictures.`);
    }
    // A file that refers to the same bytes repeatedly would make copies larger than itself.
    if (bytes > fileBytes) throw new VideoProblem('damaged', 'The pictures of the video overlap.');
  }
  return packets;
}
