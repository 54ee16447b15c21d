import { type Cbor, encodeCbor } from './cbor';

/** By the name that C2PA gives an algorithm: its number in COSE, and the bytes of a signature. */
export const ALGORITHMS = {
  es256: { cose: -7, hash: 'sha256', bytes: 64 },
  es384: { cose: -35, hash: 'sha384', bytes: 96 },
} as const;

export type Algorithm = keyof typeof ALGORITHMS;

const HEADER = { algorithm: 1, chain: 33 } as const;
const SIGN1_TAG = 18;
/** The head of a byte string of more than 255 bytes, so that each length of padding has the same. */
const LEAST_PAD_BYTES = 256;

/** The protected header: the algorithm, and the certificates from the signing one upwards, without the root. */
export function protectedHeader(algorithm: Algorithm, chain: readonly Uint8Array[]): Buffer {
  const [only, ...more] = chain;
  const certificates: Cbor = only && more.length === 0 ? only : chain;
  return encodeCbor(
    new Map<Cbor, Cbor>([
      [HEADER.algorithm, ALGORITHMS[algorithm].cose],
      [HEADER.chain, certificates],
    ]),
  );
}

/** What the key signs (RFC 9052, section 4.4). */
export function bytesToSign(header: Buffer, claim: Uint8Array): Buffer {
  return encodeCbor(['Signature1', header, Buffer.alloc(0), claim]);
}

/** What a time stamp covers: the signature, as C2PA's `sigTst2`. */
export function bytesToTimeStamp(header: Buffer, signature: Uint8Array): Buffer {
  return encodeCbor(['CounterSignature', header, Buffer.alloc(0), encodeCbor(signature)]);
}

export interface SignatureParts {
  header: Buffer;
  signature: Uint8Array;
  /** The token of RFC 3161, if there is one. */
  timeStamp: Uint8Array | null;
}

/** A COSE_Sign1 of exactly this size. @throws RangeError if it does not fit */
export function coseSign1({ header, signature, timeStamp }: SignatureParts, size: number): Buffer {
  const stamp: [Cbor, Cbor][] = timeStamp
    ? [['sigTst2', new Map<Cbor, Cbor>([['tstTokens', [new Map<Cbor, Cbor>([['val', timeStamp]])]]])]]
    : [];
  const padded = (padBytes: number): Buffer =>
    encodeCbor({
      tag: SIGN1_TAG,
      value: [header, new Map<Cbor, Cbor>([...stamp, ['pad', Buffer.alloc(padBytes)]]), null, signature],
    });
  const padBytes = LEAST_PAD_BYTES + size - padded(LEAST_PAD_BYTES).length;
  if (padBytes < LEAST_PAD_BYTES) throw new RangeError('The signature does not fit into the space reserved for it.');
  return padded(padBytes);
}
