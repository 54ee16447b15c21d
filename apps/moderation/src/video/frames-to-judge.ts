import sharp from 'sharp';
import { type FrameSampling, sampleFrames } from '@kinora/videos';
import type { LoadedImage } from '../gate/engine';
import { sha256Of } from '../gate/sha256';

/** Engines take files; this one is made fast, and loses nothing that an engine may look for. */
const PNG = { compressionLevel: 1 };

/** The frames by which a video is judged, as images. */
export async function* framesToJudge(video: Buffer, sampling: FrameSampling): AsyncGenerator<LoadedImage> {
  for await (const { width, height, rgb } of sampleFrames(video, sampling)) {
    const bytes = await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png(PNG)
      .toBuffer();
    yield { param: null, bytes, sha256: sha256Of(bytes) };
  }
}
