import { TAG, decodeAll, encode, field, integer, objectId, sequence } from './der';
import { timeStamper } from './time-stamp';

const GRANTED = 0;
const REJECTED = 2;

interface Asked {
  imprint: Buffer;
  nonce: Buffer;
}

function readRequest(request: Buffer): Asked {
  const [, imprint, nonce] = decodeAll(decodeAll(request)[0]?.content ?? request);
  if (!imprint || !nonce) throw new Error('The request has no imprint or no nonce.');
  return { imprint: imprint.whole, nonce: nonce.whole };
}

/** An answer in the form of RFC 3161, of which the signature is left out: readers check it, not this service. */
function answerTo({ imprint, nonce }: Asked, status = GRANTED): Buffer {
  const time = encode(TAG.generalizedTime, Buffer.from('20261128120000Z'));
  const facts = sequence(integer(1), objectId('1.2.3.4.1'), imprint, integer(7), time, nonce);
  const content = sequence(objectId('1.2.840.113549.1.9.16.1.4'), field(0, encode(TAG.octetString, facts)));
  const signed = sequence(integer(3), encode(TAG.set), content, encode(TAG.set));
  const token = sequence(objectId('1.2.840.113549.1.7.2'), field(0, signed));
  return sequence(sequence(integer(status)), ...(status === GRANTED ? [token] : []));
}

describe('time stamps', () => {
  const bytes = Buffer.from('a signature');
  const stampWith = (answer: (asked: Asked, other: Asked) => Buffer) => {
    let earlier: Asked | null = null;
    const stamper = timeStamper((request) => {
      const asked = readRequest(request);
      const reply = answer(asked, earlier ?? asked);
      earlier = asked;
      return Promise.resolve(reply);
    });
    return stamper;
  };

  it('returns the token of the authority', async () => {
    const token = await stampWith((asked) => answerTo(asked))(bytes);
    expect(decodeAll(token)).toHaveLength(1);
    expect(token.includes(Buffer.from('20261128120000Z'))).toBe(true);
  });

  it.each([
    ['a refusal', (asked: Asked) => answerTo(asked, REJECTED), 'refused'],
    ['something else', () => Buffer.from('<html>'), 'something else'],
    ['nothing', () => Buffer.alloc(0), 'refused'],
    ['half of an answer', (asked: Asked) => answerTo(asked).subarray(0, 60), 'something else'],
  ])('refuses %s', async (_, answer, message) => {
    await expect(stampWith(answer)(bytes)).rejects.toThrow(message);
  });

  it('refuses a token for other bytes, and one for an earlier request', async () => {
    const forOthers = stampWith(({ nonce }, earlier) => answerTo({ nonce, imprint: earlier.imprint }));
    await forOthers(Buffer.from('another signature'));
    await expect(forOthers(bytes)).rejects.toThrow('another request');
    const replayed = stampWith(({ imprint }, earlier) => answerTo({ imprint, nonce: earlier.nonce }));
    await replayed(bytes);
    await expect(replayed(bytes)).rejects.toThrow('another request');
  });
});
