import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';

export interface ProbedVideo {
  codec: string | null;
  width: number;
  height: number;
  /** Seconds. */
  duration: number;
  fps: number;
}

/** What a player would find in a file, as a library tells it that has no part in making it. */
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
