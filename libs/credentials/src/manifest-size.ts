import type { CredentialType } from './credential';

/** The identifier of the box that holds C2PA in an MP4. */
const C2PA_UUID = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');
const APP11 = 0xeb;
const SCAN = 0xda;

/** The bytes that a file sets aside for its manifests, found by the container alone: nothing in them is read. Zero: it has none. */
export function manifestBytesOf(file: Buffer, mediaType: CredentialType): number {
  try {
    return SIZES[mediaType](file);
  } catch (error) {
    // A container that is cut off has no manifest that a verifier would read.
    if (error instanceof RangeError) return 0;
    throw error;
  }
}

const SIZES: Record<CredentialType, (file: Buffer) => number> = {
  'image/png': ofPng,
  'image/jpeg': ofJpeg,
  'image/webp': ofWebp,
  'video/mp4': ofMp4,
};

function ofPng(file: Buffer): number {
  let bytes = 0;
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'caBX') bytes += file.readUInt32BE(at);
  }
  return bytes;
}

function ofJpeg(file: Buffer): number {
  let bytes = 0;
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff && file[at + 1] !== SCAN;) {
    const length = file.readUInt16BE(at + 2);
    if (file[at + 1] === APP11) bytes += length;
    at += 2 + length;
  }
  return bytes;
}

function ofWebp(file: Buffer): number {
  let bytes = 0;
  for (let at = 12; at + 8 <= file.length;) {
    const length = file.readUInt32LE(at + 4);
    if (file.toString('latin1', at, at + 4) === 'C2PA') bytes += length;
    at += 8 + length + (length % 2);
  }
  return bytes;
}

function ofMp4(file: Buffer): number {
  let bytes = 0;
  for (let at = 0; at + 8 <= file.length;) {
    const size = file.readUInt32BE(at);
    const head = size === 1 ? 16 : 8;
    const length = size === 1 ? Number(file.readBigUInt64BE(at + 8)) : size === 0 ? file.length - at : size;
    if (length < head) return bytes;
    const isManifest =
      file.toString('latin1', at + 4, at + 8) === 'uuid' && file.subarray(at + head, at + head + 16).equals(C2PA_UUID);
    if (isManifest) bytes += length;
    at += length;
  }
  return bytes;
}
