import { crc32 } from 'node:zlib';
import { API_KEY_PREFIX, BASE62, apiKeyChecksum, isWellFormedApiKey } from './api-key-format';

const BODY = `${API_KEY_PREFIX}0123456789abcdefghijABCDEFGHIJzZ`;
const KEY = BODY + apiKeyChecksum(BODY);

describe('API key format', () => {
  it('ends in the CRC-32 of the rest, as computed by another implementation', () => {
    const value = [...apiKeyChecksum(BODY)].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);
    expect(value).toBe(crc32(BODY));
  });

  it('recognises live and test keys', () => {
    const testBody = BODY.replace('live', 'test');
    expect([KEY, testBody + apiKeyChecksum(testBody)].map(isWellFormedApiKey)).toEqual([true, true]);
  });

  it('refuses a key in which any one character differs', () => {
    const misspelt = [...KEY].map((character, index) => {
      const other = character === 'x' ? 'y' : 'x';
      return KEY.slice(0, index) + other + KEY.slice(index + 1);
    });
    expect(misspelt.filter(isWellFormedApiKey)).toEqual([]);
  });

  it.each(['', 'knr_live_', KEY.slice(0, -1), `${KEY}0`, ` ${KEY}`, `${KEY}\n`, KEY.replace('knr', 'sk')])(
    'refuses %j',
    (key) => {
      expect(isWellFormedApiKey(key)).toBe(false);
    },
  );
});
