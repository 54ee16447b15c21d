import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { base64Length, toBase64 } from './images-answer';

const encode = async (chunks: Buffer[]): Promise<string> => {
  let text = '';
  for await (const part of toBase64(Readable.from(chunks))) text += part;
  return text;
};

describe('base64 of a stream', () => {
  it.each([0, 1, 2, 3, 4, 5, 100, 65_536, 65_537])(
    'equals the base64 of all %i bytes, in any chunks',
    async (bytes) => {
      const all = randomBytes(bytes);
      const expected = all.toString('base64');
      expect(base64Length(bytes)).toBe(expected.length);
      for (const size of [1, 2, 7, 65_536]) {
        if (bytes / size > 10_000) continue;
        const chunks = Array.from({ length: Math.ceil(bytes / size) }, (_, place) =>
          all.subarray(place * size, (place + 1) * size),
        );
        expect(await encode(chunks)).toBe(expected);
      }
    },
  );
});
