import fc from 'fast-check';

/** A change of bytes at a place between their begin (0) and their end (1). */
interface Edit {
  kind: 'flip' | 'number' | 'cut' | 'insert' | 'repeat' | 'truncate';
  place: number;
  length: number;
  value: number;
}

/** Lengths and offsets at which parsers fail. */
const NUMBERS = [0, 1, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

const anyEdit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('flip', 'number', 'cut', 'insert', 'repeat', 'truncate'),
  // Headers decide most, so half of all changes are at the begin.
  place: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 0.1, noNaN: true })),
  length: fc.integer({ min: 1, max: 40 }),
  value: fc.oneof(fc.constantFrom(...NUMBERS), fc.nat(0xff)),
});

/** One of the samples with some changes, or any bytes. */
export function mutatedBytes(samples: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const changed = fc
    .tuple(fc.constantFrom(...samples), fc.array(anyEdit, { maxLength: 6 }))
    .map(([sample, edits]) => edits.reduce(applyEdit, Buffer.from(sample)));
  const any = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  return fc.oneof({ weight: 9, arbitrary: changed }, { weight: 1, arbitrary: any });
}

function applyEdit(bytes: Buffer, { kind, place, length, value }: Edit): Buffer {
  const at = Math.min(Math.floor(place * bytes.length), Math.max(0, bytes.length - 4));
  const [before, rest] = [bytes.subarray(0, at), bytes.subarray(at)];
  if (kind === 'truncate') return Buffer.from(before);
  if (kind === 'cut') return Buffer.concat([before, rest.subarray(length)]);
  if (kind === 'insert') return Buffer.concat([before, Buffer.alloc(length, value & 0xff), rest]);
  if (kind === 'repeat') return Buffer.concat([before, rest.subarray(0, length), rest]);
  const changed = Buffer.from(bytes);
  if (kind === 'flip' && changed.length > 0) changed[at] = (changed[at] ?? 0) ^ (value & 0xff || 0xff);
  if (kind === 'number' && changed.length >= at + 4) changed.writeUInt32BE(value, at);
  return changed;
}
