import { decoding, MAX_SIDE_PX, openImage } from './image-decoder';
import { encodeAs } from './image-encoder';
import type { ImageFormat, ImageMime } from './image-format';
import { ImageProblem } from './image-problem';
import { type ImageBounds, readHeader } from './image-header';
import { type Provenance, provenanceXmp } from './provenance';

export interface OutputSpec {
  format: ImageFormat;
  width: number;
  height: number;
  provenance: Provenance;
}

export interface EncodedOutput {
  bytes: Buffer;
  mime: ImageMime;
  width: number;
  height: number;
}

/** An uncompressed PNG of the largest picture with transparency; nothing honest is larger. */
const OUTPUT_BOUNDS: ImageBounds = { maxBytes: 65 * 1024 * 1024, minSidePx: 1, maxSidePx: MAX_SIDE_PX };

/**
 * Turns what a provider made into what is served, or throws an ImageProblem. A provider is not
 * trusted: only pixels of the wanted size get through, and the same bytes always give the same bytes.
 */
export async function encodeOutput(bytes: Buffer, spec: OutputSpec): Promise<EncodedOutput> {
  const { width, height } = await readHeader(bytes, OUTPUT_BOUNDS);
  if (width !== spec.width || height !== spec.height) {
    throw new ImageProblem(
      'wrong_size',
      `The image has ${width}x${height} pixels instead of ${spec.width}x${spec.height}.`,
    );
  }
  const image = encodeAs(openImage(bytes), spec.format).withXmp(provenanceXmp(spec.provenance));
  return { bytes: await decoding(() => image.toBuffer()), mime: `image/${spec.format}`, width, height };
}
