import fc from 'fast-check';

/** A change of bytes at a place between their begin (0) and their end (1). */
interface Edit {
  kind: 'flip' | 'number' | 'cut' | 'insert' | 'repeat' | 'truncate' | 'splice' | 'value';
  place: number;
  length: number;
  value: number;
  isLittleEndian: boolean;
  /** The rest of the bytes of a splice. */
  other: Buffer;
}

/** Lengths and offsets at which parsers fail. */
const NUMBERS = [0, 1, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
/** What a field of JSON may be instead. */
const VALUES = [null, true, 0, -1, 1.5, 1e300, '', 'a', '__proto__', [], [[]], {}, { id: 1 }, 'a'.repeat(5_000)];
/** A pool that mutations are added to stays small. */
const LARGEST = 64 * 1024;

/** One of the samples with some changes, or any bytes. The samples may grow meanwhile. */
export function mutatedBytes(samples: readonly Buffer[]): fc.Arbitrary<Buffer> {
  // Not shrunk: by then the same number is another sample.
  const sample = fc.noShrink(fc.nat().map((number) => samples[number % samples.length] as Buffer));
  const edit: fc.Arbitrary<Edit> = fc.record({
    kind: fc.constantFrom('flip', 'number', 'cut', 'insert', 'repeat', 'truncate', 'splice', 'value'),
    // Headers decide most, so half of all changes are at the begin.
    place: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 0.1, noNaN: true })),
    length: fc.integer({ min: 1, max: 40 }),
    value: fc.oneof(fc.constantFrom(...NUMBERS), fc.nat(0xff)),
    isLittleEndian: fc.boolean(),
    other: sample,
  });
  const changed = fc
    .tuple(sample, fc.array(edit, { maxLength: 6 }))
    .map(([bytes, edits]) => edits.reduce(applyEdit, bytes).subarray(0, LARGEST));
  const any = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  return fc.oneof({ weight: 9, arbitrary: changed }, { weight: 1, arbitrary: any });
}

function applyEdit(bytes: Buffer, { kind, place, length, value, isLittleEndian, other }: Edit): Buffer {
  const at = Math.min(Math.floor(place * bytes.length), Math.max(0, bytes.length - 4));
  const [before, rest] = [bytes.subarray(0, at), bytes.subarray(at)];
  if (kind === 'truncate') return before;
  if (kind === 'cut') return Buffer.concat([before, rest.subarray(length)]);
  if (kind === 'insert') return Buffer.concat([before, Buffer.alloc(length, value & 0xff), rest]);
  if (kind === 'repeat') return Buffer.concat([before, rest.subarray(0, length), rest]);
  if (kind === 'splice') return Buffer.concat([before, other.subarray(Math.floor(place * other.length))]);
  if (kind === 'value') return changeValue(bytes, value, VALUES[length % VALUES.length]);
  const changed = Buffer.from(bytes);
  if (kind === 'flip' && changed.length > 0) changed[at] = (changed[at] ?? 0) ^ (value & 0xff || 0xff);
  if (kind === 'number' && changed.length >= at + 4)
    changed[isLittleEndian ? 'writeUInt32LE' : 'writeUInt32BE'](value, at);
  return changed;
}

/** JSON with another value at one of its places; other bytes stay as they are. */
function changeValue(bytes: Buffer, at: number, replacement: unknown): Buffer {
  if (!/^[[{]/.test(bytes.toString('latin1', 0, 1))) return bytes;
  const text = bytes.toString();
  const chosen = at % (text.split(/[:,]/).length + 1);
  let place = 0;
  try {
    return Buffer.from(
      JSON.stringify(JSON.parse(text), (_, value: unknown) => (place++ === chosen ? replacement : value)),
    );
  } catch {
    return bytes;
  }
}
