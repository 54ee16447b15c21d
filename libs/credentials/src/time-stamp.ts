import { createHash, randomBytes } from 'node:crypto';
import { type DerItem, TAG, decodeAll, encode, integer, objectId, sequence } from './der';

/** Has the time of a signature certified: returns the token of RFC 3161 for these bytes. */
export type TimeStamper = (bytes: Buffer) => Promise<Buffer>;

/** Sends a request to the authority and returns the body of its answer. */
export type TimeStampTransport = (request: Buffer) => Promise<Buffer>;

export class TimeStampProblem extends Error {
  override readonly name = 'TimeStampProblem';
}

const SHA256 = sequence(objectId('2.16.840.1.101.3.4.2.1'), encode(TAG.null));
const NONCE_BYTES = 8;
/** Granted, and granted with modifications. */
const GRANTED = [0, 1];

/** @throws TimeStampProblem for an answer that is none, a refusal, or a token of other bytes or of another request */
export function timeStamper(send: TimeStampTransport): TimeStamper {
  return async (bytes) => {
    const digest = createHash('sha256').update(bytes).digest();
    // The first bit stays clear, and the number is not zero.
    const nonce = Buffer.concat([Buffer.from([0x40]), randomBytes(NONCE_BYTES)]);
    const answer = await send(toRequest(digest, nonce));
    return tokenOf(answer, digest, nonce);
  };
}

/** Version 1, what is stamped, the nonce; and the certificates are asked for, because verifiers have no others. */
function toRequest(digest: Buffer, nonce: Buffer): Buffer {
  const imprint = sequence(SHA256, encode(TAG.octetString, digest));
  return sequence(integer(1), imprint, integer(nonce), encode(TAG.boolean, Buffer.from([0xff])));
}

function tokenOf(answer: Buffer, digest: Buffer, nonce: Buffer): Buffer {
  try {
    const [status, token] = itemsOf(decodeAll(answer)[0]);
    const [code] = itemsOf(status);
    if (!code || !GRANTED.includes(code.content.readUIntBE(0, code.content.length)) || !token)
      throw new TimeStampProblem('The time stamp authority has refused the request.');
    const [, , imprint, , , ...others] = itemsOf(stampedFactsOf(token));
    const [, hashed] = itemsOf(imprint);
    const isOurs = hashed?.content.equals(digest) && others.some((item) => item.whole.equals(integer(nonce)));
    if (!isOurs) throw new TimeStampProblem('The time stamp is that of another request.');
    return token.whole;
  } catch (cause) {
    if (cause instanceof TimeStampProblem) throw cause;
    throw new TimeStampProblem('The time stamp authority has answered with something else.', { cause });
  }
}

/** ContentInfo, SignedData, the content that is signed, and in it TSTInfo (RFC 5652, RFC 3161). */
function stampedFactsOf(token: DerItem): DerItem | undefined {
  const [, wrapped] = itemsOf(token);
  const [, , content] = itemsOf(itemsOf(wrapped)[0]);
  const [, wrappedFacts] = itemsOf(content);
  const [facts] = itemsOf(wrappedFacts);
  return facts && decodeAll(facts.content)[0];
}

function itemsOf(item: DerItem | undefined): DerItem[] {
  return item ? decodeAll(item.content) : [];
}
