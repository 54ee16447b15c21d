import { decoding, MAX_SIDE_PX, openImage } from './image-decoder';
import { encodeAs } from './image-encoder';
import type { ImageFormat, ImageMime } from './image-format';
import { ImageProblem } from './image-problem';
import { type ImageBounds, readHeader } from './image-header';
import { withPngXmp } from './png-xmp';
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
 * Turns what a provider made into what is served, or throws an ImageProblem. A provider is not trusted: only pixels of the
 * wanted size get through, under our own mark of how they were made, and the same bytes always give the same bytes.
 *
 * A content credential (C2PA) of the provider's is dropped with the rest. Its manifest may hold thumbnails and texts, which
 * nothing has judged, and to take them out alone would break its signature.
 */
export async function encodeOutput(bytes: Buffer, spec: OutputSpec): Promise<EncodedOutput> {
  const { width, height } = await readHeader(bytes, OUTPUT_BOUNDS);
  if (width !== spec.width || height !== spec.height) {
    throw new ImageProblem(
      'wrong_size',
      `The image has ${width}x${height} pixels instead of ${spec.width}x${spec.height}.`,
    );
  }
  const facts = { mime: `image/${spec.format}`, width, height } as const;
  const image = encodeAs(openImage(bytes), spec.format);
  const xmp = provenanceXmp(spec.provenance);
  if (spec.format === 'png') return { bytes: withPngXmp(await decoding(() => image.toBuffer()), xmp), ...facts };
  return { bytes: await decoding(() => image.withXmp(xmp).toBuffer()), ...facts };
}
