/** What certificates and time stamps need of DER (ITU-T X.690). */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectId: 0x06,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
  generalizedTime: 0x18,
} as const;

export function encode(tag: number, ...content: Uint8Array[]): Buffer {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(bytes.length), bytes]);
}

export const sequence = (...items: Uint8Array[]): Buffer => encode(TAG.sequence, ...items);

/** A constructed field with this number, which the type of the field stands for. */
export const field = (number: number, ...items: Uint8Array[]): Buffer => encode(0xa0 | number, ...items);

/** Not negative: bytes whose first bit is set get a leading zero. */
export function integer(value: number | Uint8Array): Buffer {
  const bytes = typeof value === 'number' ? Buffer.from([value]) : Buffer.from(value);
  return encode(TAG.integer, ...((bytes[0] ?? 0) >= 0x80 ? [Buffer.from([0])] : []), bytes);
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return encode(TAG.objectId, Buffer.from([40 * first + second, ...rest.flatMap(base128)]));
}

export interface DerItem {
  tag: number;
  content: Buffer;
  /** With its tag and length. */
  whole: Buffer;
}

/** The items that follow one another in these bytes. @throws RangeError for bytes that are not DER */
export function decodeAll(bytes: Buffer): DerItem[] {
  const items: DerItem[] = [];
  for (let at = 0; at < bytes.length;) {
    const item = decodeAt(bytes, at);
    items.push(item);
    at += item.whole.length;
  }
  return items;
}

function decodeAt(bytes: Buffer, at: number): DerItem {
  const first = bytes.readUInt8(at + 1);
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4) throw new RangeError('The length of a DER item is too large.');
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
  const start = at + 2 + lengthBytes;
  if (start + length > bytes.length) throw new RangeError('A DER item is cut off.');
  return {
    tag: bytes.readUInt8(at),
    content: bytes.subarray(start, start + length),
    whole: bytes.subarray(at, start + length),
  };
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  const shortest = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.from([0x80 | shortest.length]), shortest]);
}

function base128(part: number): number[] {
  const digits = [part & 0x7f];
  for (let rest = Math.floor(part / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
