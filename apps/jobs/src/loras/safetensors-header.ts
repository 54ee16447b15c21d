import { isRecord } from '@kinora/contracts/shared/is-record';
import { LoraProblem } from './lora-problem';

/** What stands before the header: its length, little-endian. */
export const LENGTH_BYTES = 8;
/** Those of real LoRAs have some hundred kilobytes; JSON of this size is parsed in well under a second. */
export const MAX_HEADER_BYTES = 4 * 1024 * 1024;
const MAX_DIMENSIONS = 8;

const BITS_BY_DTYPE: ReadonlyMap<string, number> = new Map([
  ...['BOOL', 'U8', 'I8', 'F8_E5M2', 'F8_E4M3', 'F8_E8M0'].map((dtype) => [dtype, 8] as const),
  ...['I16', 'U16', 'F16', 'BF16'].map((dtype) => [dtype, 16] as const),
  ...['I32', 'U32', 'F32'].map((dtype) => [dtype, 32] as const),
  ...['I64', 'U64', 'F64'].map((dtype) => [dtype, 64] as const),
]);

interface Tensor {
  begin: number;
  end: number;
}

/** How long the header is, by the first bytes of a file. A pickle, an archive or a page gives an absurd length here. @throws LoraProblem */
export function readHeaderLength(start: Buffer): number {
  const length = start.readBigUInt64LE(0);
  if (length < 2n || length > BigInt(MAX_HEADER_BYTES)) throw wrong('it does not begin with the length of a header');
  return Number(length);
}

/**
 * Checks a header, and tells how long the file that it describes must be: its tensors lie one behind the other, without
 * gaps or overlaps, to the last byte, so that nothing else can hide in it. @throws LoraProblem
 */
export function fileLengthBy(header: Buffer): number {
  const tensors = readTensors(header).sort((one, other) => one.begin - other.begin || one.end - other.end);
  if (tensors.length === 0) throw wrong('it has no tensors');
  const end = tensors.reduce((previousEnd, tensor) => {
    if (tensor.begin !== previousEnd) throw wrong('its tensors do not lie one behind the other');
    return tensor.end;
  }, 0);
  return LENGTH_BYTES + header.length + end;
}

function readTensors(header: Buffer): Tensor[] {
  // The format's own rule, by which a header is told from anything else that happens to parse.
  if (header[0] !== '{'.charCodeAt(0)) throw wrong('its header is no JSON object');
  const parsed = parse(header);
  return Object.entries(parsed).flatMap(([name, value]) => {
    if (name !== '__metadata__') return [readTensor(value)];
    if (!isRecord(value) || !Object.values(value).every((text) => typeof text === 'string'))
      throw wrong('its metadata are no texts');
    return [];
  });
}

function parse(header: Buffer): Record<string, unknown> {
  try {
    const parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(header)) as unknown;
    if (isRecord(parsed)) return parsed;
  } catch {
    // Falls through to the same problem: it is no JSON either way.
  }
  throw wrong('its header is no JSON object');
}

function readTensor(value: unknown): Tensor {
  if (!isRecord(value)) throw wrong('a tensor has no description');
  const { dtype, shape, data_offsets: offsets } = value;
  const bits = typeof dtype === 'string' ? BITS_BY_DTYPE.get(dtype) : undefined;
  if (bits === undefined) throw wrong('a tensor has an unknown type');
  if (!isCounts(shape) || shape.length > MAX_DIMENSIONS) throw wrong('a tensor has no shape');
  if (!isCounts(offsets)) throw wrong('a tensor has no place');
  const [begin, end, ...more] = offsets;
  if (begin === undefined || end === undefined || more.length > 0) throw wrong('a tensor has no place');
  const bytes = (shape.reduce((product, side) => product * side, 1) * bits) / 8;
  if (!Number.isSafeInteger(bytes) || end - begin !== bytes) throw wrong('a tensor is not as large as its shape');
  return { begin, end };
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((count) => Number.isSafeInteger(count) && (count as number) >= 0);
}

function wrong(what: string): LoraProblem {
  return new LoraProblem(`The LoRA is no safetensors file: ${what}.`, true);
}
