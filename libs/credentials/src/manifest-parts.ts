import type { CredentialType } from './credential';

/** The identifier of the box that holds C2PA in an MP4. */
const C2PA_UUID = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');
const APP11 = 0xeb;
const SCAN = 0xda;

/**
 * The parts of a file that are set aside for its manifests, found by the container alone: nothing in them is read. A file without
 * manifests has none.
 */
export function manifestPartsOf(file: Buffer, mediaType: CredentialType): Buffer[] {
  try {
    return PARTS[mediaType](file);
  } catch (error) {
    // A container that is cut off has no manifest that a verifier would read.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Embedded files, compressed manifests, and data of the first version of C2PA. */
const MAY_HOLD_IMAGES = ['bfdb', 'brob', 'c2pa.data'];

/** Whether manifests can contain images. It is cheap, and a yes may be wrong. */
export function mayHoldImages(parts: readonly Buffer[]): boolean {
  // A JPEG cuts a large manifest into segments, and so perhaps one of the names.
  return parts.length > 1 || parts.some((part) => MAY_HOLD_IMAGES.some((name) => part.includes(name)));
}

const PARTS: Record<CredentialType, (file: Buffer) => Buffer[]> = {
  'image/png': ofPng,
  'image/jpeg': ofJpeg,
  'image/webp': ofWebp,
  'video/mp4': ofMp4,
};

function ofPng(file: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'caBX')
      parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  return parts;
}

function ofJpeg(file: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff && file[at + 1] !== SCAN;) {
    const length = file.readUInt16BE(at + 2);
    if (file[at + 1] === APP11) parts.push(file.subarray(at + 4, at + 2 + length));
    at += 2 + length;
  }
  return parts;
}

function ofWebp(file: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 12; at + 8 <= file.length;) {
    const length = file.readUInt32LE(at + 4);
    if (file.toString('latin1', at, at + 4) === 'C2PA') parts.push(file.subarray(at + 8, at + 8 + length));
    at += 8 + length + (length % 2);
  }
  return parts;
}

function ofMp4(file: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= file.length;) {
    const size = file.readUInt32BE(at);
    const head = size === 1 ? 16 : 8;
    const length = size === 1 ? Number(file.readBigUInt64BE(at + 8)) : size === 0 ? file.length - at : size;
    if (length < head) return parts;
    const isManifest =
      file.toString('latin1', at + 4, at + 8) === 'uuid' && file.subarray(at + head, at + head + 16).equals(C2PA_UUID);
    if (isManifest) parts.push(file.subarray(at + head, at + length));
    at += length;
  }
  return parts;
}
