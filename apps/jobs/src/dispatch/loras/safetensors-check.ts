import { isRecord } from '@kinora/contracts/shared/texts';
import { type LoraFault, LoraProblem } from './lora-problem';

/** The bytes before the header: its length, little-endian. */
export const LENGTH_BYTES = 8;
/** Headers of real LoRAs have some hundred kilobytes. JSON of this size is parsed in well under a second. */
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

/**
 * The length of the header, from the first bytes of a file. A pickle, an archive or a web page results in an invalid length
 * here.
 * @throws LoraProblem
 */
export function readHeaderLength(start: Buffer): number {
  const length = start.readBigUInt64LE(0);
  if (length < 2n || length > BigInt(MAX_HEADER_BYTES))
    throw wrong('it does not start with a valid length of the header');
  return Number(length);
}

/**
 * Checks a header, and computes the length of the file: the tensors are stored one after another up to the last byte, without
 * gaps or overlaps, so that no other data can hide in it.
 * @throws LoraProblem
 */
export function fileLengthBy(header: Buffer): number {
  const tensors = readTensors(header).sort((one, other) => one.begin - other.begin || one.end - other.end);
  if (tensors.length === 0) throw wrong('it has no tensors');
  const end = tensors.reduce((previousEnd, tensor) => {
    if (tensor.begin !== previousEnd) throw wrong('its tensors have gaps or overlaps');
    return tensor.end;
  }, 0);
  return LENGTH_BYTES + header.length + end;
}

function readTensors(header: Buffer): Tensor[] {
  // The format requires `{` as the first byte.
  if (header[0] !== '{'.charCodeAt(0)) throw wrong('its header is not a JSON object');
  const parsed = parse(header);
  return Object.entries(parsed).flatMap(([name, value]) => {
    if (name !== '__metadata__') return [readTensor(value)];
    if (!isRecord(value) || !Object.values(value).every((text) => typeof text === 'string'))
      throw wrong('its metadata are not strings');
    return [];
  });
}

function parse(header: Buffer): Record<string, unknown> {
  try {
    const parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(header)) as unknown;
    if (isRecord(parsed)) return parsed;
  } catch {
    // Falls through to the same problem: it is not JSON in either case.
  }
  throw wrong('its header is not a JSON object');
}

function readTensor(value: unknown): Tensor {
  if (!isRecord(value)) throw wrong('a tensor is not described by an object');
  const { dtype, shape, data_offsets: offsets } = value;
  const bits = typeof dtype === 'string' ? BITS_BY_DTYPE.get(dtype) : undefined;
  if (bits === undefined) throw wrong('a tensor has an unknown type');
  if (!isCounts(shape) || shape.length > MAX_DIMENSIONS) throw wrong('a tensor has no valid shape');
  if (!isCounts(offsets)) throw wrong('a tensor has no valid offsets');
  const [begin, end, ...more] = offsets;
  if (begin === undefined || end === undefined || more.length > 0) throw wrong('a tensor has no valid offsets');
  const bytes = (shape.reduce((product, side) => product * side, 1) * bits) / 8;
  if (!Number.isSafeInteger(bytes) || end - begin !== bytes)
    throw wrong('the size of a tensor does not match its shape');
  return { begin, end };
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((count) => Number.isSafeInteger(count) && (count as number) >= 0);
}

function wrong(what: string): LoraProblem {
  return new LoraProblem(`The LoRA is not a safetensors file: ${what}.`, true, 'no safetensors file');
}

/** Checks a safetensors file as a stream, and throws at the first byte that cannot be valid. */
export class SafetensorsCheck {
  private start: Buffer = Buffer.alloc(0);
  private bytes = 0;
  private fileBytes: number | null = null;

  /** Whether the header is complete and valid. */
  get isHeaderRight(): boolean {
    return this.fileBytes !== null;
  }

  /** @throws LoraProblem */
  see(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.fileBytes === null) this.fileBytes = this.seeHeader(chunk);
    if (this.fileBytes !== null && this.bytes > this.fileBytes) throw wrongLength('no safetensors file');
  }

  /** Compares the length by the header with the length that a server announces. @throws LoraProblem */
  compareLength(bytes: number | null): void {
    if (bytes === null || this.fileBytes === null || bytes === this.fileBytes) return;
    throw wrongLength(bytes < this.fileBytes ? 'cut off' : 'no safetensors file');
  }

  /** @throws LoraProblem if the file is shorter than its header says. */
  end(): void {
    // What has arrived so far was valid. Fewer bytes than the length of the header prove nothing.
    if (this.bytes !== this.fileBytes) throw wrongLength(this.bytes < LENGTH_BYTES ? 'no safetensors file' : 'cut off');
  }

  /** The length of the file once its header is complete, else null. */
  private seeHeader(chunk: Buffer): number | null {
    this.start = Buffer.concat([this.start, chunk]);
    if (this.start.length < LENGTH_BYTES) return null;
    const headerEnd = LENGTH_BYTES + readHeaderLength(this.start);
    if (this.start.length < headerEnd) return null;
    const fileBytes = fileLengthBy(this.start.subarray(LENGTH_BYTES, headerEnd));
    this.start = Buffer.alloc(0);
    return fileBytes;
  }
}

function wrongLength(fault: LoraFault): LoraProblem {
  const reason = 'The LoRA is not a safetensors file: its length differs from the length in its header.';
  return new LoraProblem(reason, true, fault);
}
