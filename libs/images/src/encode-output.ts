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

/** An uncompressed PNG of the largest image with transparency; no valid output is larger. */
const OUTPUT_BOUNDS: ImageBounds = { maxBytes: 65 * 1024 * 1024, minSidePx: 1, maxSidePx: MAX_SIDE_PX };

/**
 * Turns a provider's output into the file that is served, or throws an ImageProblem. A provider is not trusted: only
 * pixels of the requested size pass, with our own provenance metadata. The same bytes always give the same bytes.
 *
 * A content credential (C2PA) from the provider is dropped with all other metadata. Its manifest may contain thumbnails
 * and texts that were not moderated, and removing only those would break its signature.
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
