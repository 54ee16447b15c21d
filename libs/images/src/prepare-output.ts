import { decoding, MAX_SIDE_PX, openImage } from './image-decoder';
import { encodeAs } from './image-encoder';
import type { ImageFormat, ImageMime } from './image-format';
import { type ImageBounds, readHeader } from './image-header';
import { ImageProblem } from './image-problem';
import { passThrough, relabel } from './pass-through';

/**
 * IPTC digital source type: `algorithmicMedia` is made by code without training data, `trainedAlgorithmicMedia` by a
 * trained model.
 */
export type Provenance = 'algorithmicMedia' | 'trainedAlgorithmicMedia';

/** The XMP packet that names the kind of origin of an image. It contains nothing that varies between runs. */
export function provenanceXmp(provenance: Provenance): string {
  return [
    '<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about=""',
    ' xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"',
    ` Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/${provenance}"/>`,
    '</rdf:RDF>',
    '</x:xmpmeta>',
    '<?xpacket end="r"?>',
  ].join('');
}

export interface OutputSpec {
  format: ImageFormat;
  width: number;
  height: number;
  provenance: Provenance;
}

export interface PreparedOutput {
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
 * A plain file of the requested format passes with its coded pixels unchanged; **a JPEG or WebP is then not decoded
 * here**, and moderation must decode all of it. Any other file is decoded and encoded anew.
 *
 * A content credential (C2PA) from the provider is dropped with all other metadata, because it is of the file as the provider
 * wrote it. It becomes an ingredient of the credential that the output gets before it is stored.
 */
export async function prepareOutput(bytes: Buffer, spec: OutputSpec): Promise<PreparedOutput> {
  const header = await readHeader(bytes, OUTPUT_BOUNDS);
  const { format, width, height } = spec;
  if (header.width !== width || header.height !== height) {
    throw new ImageProblem(
      'wrong_size',
      `The image has ${header.width}x${header.height} pixels instead of ${width}x${height}.`,
    );
  }
  const xmp = provenanceXmp(spec.provenance);
  const passed = header.format === format ? await passThrough(bytes, header, xmp) : null;
  const output = passed ?? (await reencode(bytes, format, xmp));
  return { bytes: output, mime: `image/${format}`, width, height };
}

async function reencode(bytes: Buffer, format: ImageFormat, xmp: string): Promise<Buffer> {
  const encoded = await decoding(() => encodeAs(openImage(bytes), format).toBuffer());
  const relabelled = relabel(encoded, format, xmp);
  if (!relabelled) throw new Error(`The encoder wrote a ${format} file that is not plain.`);
  return relabelled.bytes;
}

/** Enough for a preview, and about a fifth of the size of the best. */
const QUALITY = 80;

/** A WebP of at most this width, in the ratio of the image and without its metadata. @throws ImageProblem */
export async function makeThumbnail(bytes: Buffer, widthPx: number): Promise<Buffer> {
  return decoding(() =>
    openImage(bytes)
      .rotate()
      .resize({ width: widthPx, withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer(),
  );
}
