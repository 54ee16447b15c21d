import type { RelabelledFile } from './image-format';

const START = Buffer.from([0xff, 0xd8]);
const END = Buffer.from([0xff, 0xd9]);
/** JFIF 1.01 without density or thumbnail: states that three components are YCbCr. */
const JFIF = Buffer.from([0xff, 0xe0, 0, 16, ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]);
const XMP_HEAD = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');

const BASELINE_FRAME = 0xc0;
const HUFFMAN_TABLES = 0xc4;
const SCAN = 0xda;
const QUANTISATION_TABLES = 0xdb;
const APPLICATION = 0xe0;
const XMP = 0xe1;
/** Its application data may state that the components are RGB. */
const ADOBE = 0xee;
const APPLICATION_LAST = 0xef;
const COMMENT = 0xfe;

const MARKER_BYTES = 2;
const QUANTISATION_TABLE_BYTES = 65;
const HUFFMAN_COUNTS = 16;
/** All 64 coefficients at full precision, as in every baseline scan. */
const WHOLE_SPECTRUM = Buffer.from([0, 63, 0]);

interface Segment {
  marker: number;
  /** From the marker on. */
  bytes: Buffer;
  /** After the length. */
  data: Buffer;
}

/**
 * The same coded pixels with `xmp`, if any, as the only metadata (ITU-T T.81, JFIF 1.02): application data, comments, and what
 * follows the end marker, such as a second image, are dropped.
 * @returns null for a file that is not plain: baseline, 8 bits, grey or YCbCr, one scan, no restart markers, each table
 * once and in use, segments of the right length with no byte between them.
 */
export function relabelJpeg(bytes: Buffer, xmp: string | null): RelabelledFile | null {
  const segments = readSegments(bytes);
  const scan = segments?.at(-1);
  if (!segments || !scan || !arePlain(segments)) return null;
  const coded = readScanData(bytes, scan.bytes.byteOffset - bytes.byteOffset + scan.bytes.length);
  if (!coded) return null;
  const kept = segments.filter(({ marker }) => !isMetadata(marker)).map((segment) => segment.bytes);
  const label = xmp === null ? [] : framed(XMP, [XMP_HEAD, Buffer.from(xmp)]);
  return { bytes: Buffer.concat([START, JFIF, ...label, ...kept, coded, END]), coded: [coded] };
}

/** Up to the header of the first scan; null where a marker is missing or the file ends before. */
function readSegments(bytes: Buffer): Segment[] | null {
  const segments: Segment[] = [];
  let at = START.length;
  while (at + MARKER_BYTES + 2 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const end = at + MARKER_BYTES + bytes.readUInt16BE(at + MARKER_BYTES);
    if (end > bytes.length) return null;
    segments.push({ marker, bytes: bytes.subarray(at, end), data: bytes.subarray(at + MARKER_BYTES + 2, end) });
    if (marker === SCAN) return segments;
    at = end;
  }
  return null;
}

/** The entropy-coded data, which must end with the end of the image: a restart or another scan is not plain. */
function readScanData(bytes: Buffer, from: number): Buffer | null {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1 && bytes[at + 1] === 0) at = bytes.indexOf(0xff, at + 2);
  return at > from && bytes[at + 1] === END[1] ? bytes.subarray(from, at) : null;
}

function arePlain(segments: Segment[]): boolean {
  const of = (wanted: number): Buffer[] => segments.filter(({ marker }) => marker === wanted).map(({ data }) => data);
  const [frames, scans] = [of(BASELINE_FRAME), of(SCAN)];
  const [frame, scan] = [frames[0], scans[0]];
  if (!segments.every(({ marker }) => isNeeded(marker) || isMetadata(marker))) return false;
  if (!frame || !scan || frames.length > 1 || !isPlainFrame(frame) || !isPlainScan(scan, frame)) return false;
  const tables = [...of(QUANTISATION_TABLES).map(quantisationTables), ...of(HUFFMAN_TABLES).map(huffmanTables)];
  const defined = tables.flatMap((names) => names ?? ['damaged']);
  const used = new Set([...quantisersOf(frame), ...codesOf(scan)]);
  return defined.length === used.size && defined.every((name) => used.delete(name));
}

function isNeeded(marker: number): boolean {
  return [BASELINE_FRAME, SCAN, HUFFMAN_TABLES, QUANTISATION_TABLES].includes(marker);
}

function isMetadata(marker: number): boolean {
  return (marker >= APPLICATION && marker <= APPLICATION_LAST && marker !== ADOBE) || marker === COMMENT;
}

/** Precision, height, width, number of components; then for each its number, sampling and quantisation table. */
function isPlainFrame(frame: Buffer): boolean {
  const count = frame[5] ?? 0;
  // Other numbers, such as those of the letters RGB, can mean other colours.
  const areNumbered = componentsOf(frame).every((component, index) => component[0] === index + 1);
  return frame[0] === 8 && (count === 1 || count === 3) && frame.length === 6 + 3 * count && areNumbered;
}

/** Number of components; then for each its number and Huffman tables; then the coefficients. */
function isPlainScan(scan: Buffer, frame: Buffer): boolean {
  const count = frame[5] ?? 0;
  const areAll = componentsOf(frame).every((component, index) => scan[1 + 2 * index] === component[0]);
  return scan.length === 4 + 2 * count && scan[0] === count && areAll && scan.subarray(-3).equals(WHOLE_SPECTRUM);
}

function componentsOf(frame: Buffer): Buffer[] {
  return Array.from({ length: frame[5] ?? 0 }, (_, index) => frame.subarray(6 + 3 * index, 9 + 3 * index));
}

function quantisersOf(frame: Buffer): string[] {
  return componentsOf(frame).map((component) => `quantiser ${component[2]}`);
}

function codesOf(scan: Buffer): string[] {
  return Array.from({ length: scan[0] ?? 0 }, (_, index) => scan[2 + 2 * index] ?? 0).flatMap((tables) => [
    `code 0/${tables >> 4}`,
    `code 1/${tables & 15}`,
  ]);
}

/** The tables of a segment by name; null where they do not fill it. */
function quantisationTables(data: Buffer): string[] | null {
  if (data.length % QUANTISATION_TABLE_BYTES !== 0) return null;
  const count = data.length / QUANTISATION_TABLE_BYTES;
  return Array.from({ length: count }, (_, index) => `quantiser ${data[index * QUANTISATION_TABLE_BYTES]}`);
}

function huffmanTables(data: Buffer): string[] | null {
  const names: string[] = [];
  let at = 0;
  while (at + 1 + HUFFMAN_COUNTS <= data.length) {
    const [table = 0] = data.subarray(at);
    const symbols = data.subarray(at + 1, at + 1 + HUFFMAN_COUNTS).reduce((sum, count) => sum + count, 0);
    names.push(`code ${table >> 4}/${table & 15}`);
    at += 1 + HUFFMAN_COUNTS + symbols;
  }
  return at === data.length ? names : null;
}

function framed(marker: number, data: Buffer[]): Buffer[] {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(2 + data.reduce((sum, { length }) => sum + length, 0), MARKER_BYTES);
  return [head, ...data];
}
