import fc from 'fast-check';
import { findJsonError } from './json-error';

describe('json error', () => {
  it.each<[string, number]>([
    ['', 0],
    ['{', 1],
    ['{a}', 1],
    ['{"a":}', 5],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
    ['{"a":1', 6],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['[1}', 2],
    ['{"a":1]', 6],
    ['{"a":1} x', 8],
    ['"abc', 4],
    ['"a\nb"', 2],
    ['"a\\x"', 2],
    ['"a\\u12"', 2],
    ['01', 1],
    ['-', 0],
    ['nul', 0],
    ['\ufeff{}', 0],
    ["{'a':1}", 1],
    [']', 0],
    [',', 0],
  ])('finds the error in %j at index %d', (text, at) => {
    expect(() => JSON.parse(text) as unknown).toThrow();
    expect(findJsonError(text)).toBe(at);
  });

  it('agrees with JSON.parse about which texts are valid', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '}', ']', '"', ':', ' ', '1', 'x'),
        (json, place, extra) => {
          expect(findJsonError(json)).toBe(json.length);
          const at = place % (json.length + 1);
          const broken = json.slice(0, at) + extra + json.slice(at + 1);
          const error = findJsonError(broken);
          if (!isJson(broken)) expect(error).toBeLessThanOrEqual(broken.length);
          else expect(error).toBe(broken.length);
          // The text before the error is valid so far: it can be the beginning of JSON.
          if (error < broken.length) expect(isJson(broken)).toBe(false);
        },
      ),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
