/** What COSE needs of CBOR (RFC 8949). */
export type Cbor = number | string | null | Uint8Array | readonly Cbor[] | ReadonlyMap<Cbor, Cbor> | Tagged;

export interface Tagged {
  tag: number;
  value: Cbor;
}

const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6 } as const;
const NULL = Buffer.from([0xf6]);

/** Deterministic: shortest lengths, maps in the order of their entries. */
export function encodeCbor(value: Cbor): Buffer {
  if (value === null) return NULL;
  if (typeof value === 'number') return value < 0 ? head(MAJOR.negative, -1 - value) : head(MAJOR.unsigned, value);
  if (typeof value === 'string') return Buffer.concat([head(MAJOR.text, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(MAJOR.bytes, value.length), value]);
  if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<Cbor, Cbor>)].flat();
    return Buffer.concat([head(MAJOR.map, value.size), ...entries.map(encodeCbor)]);
  }
  if ('tag' in value) return Buffer.concat([head(MAJOR.tag, value.tag), encodeCbor(value.value)]);
  const items = [...(value as readonly Cbor[])];
  return Buffer.concat([head(MAJOR.array, items.length), ...items.map(encodeCbor)]);
}

function head(major: number, argument: number): Buffer {
  const first = major << 5;
  if (argument < 24) return Buffer.from([first | argument]);
  if (argument < 0x100) return Buffer.from([first | 24, argument]);
  if (argument < 0x1_0000) return Buffer.from([first | 25, argument >> 8, argument & 0xff]);
  const bytes = Buffer.from([first | 26, 0, 0, 0, 0]);
  bytes.writeUInt32BE(argument, 1);
  return bytes;
}
