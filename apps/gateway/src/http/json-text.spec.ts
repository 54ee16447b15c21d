import fc from 'fast-check';
import { endOfString, findJsonError, findRepeatedName, hasMoreStructureThan } from './json-text';

/** Counts brackets, commas and colons outside of strings. */
function structureOf(json: string): number {
  let count = 0;
  while (hasMoreStructureThan(count, Buffer.from(json))) count += 1;
  return count;
}

describe('the structure of a JSON text', () => {
  it.each([
    ['"[{,:"', 0],
    ['{"a":[1,2]}', 4],
    // An escaped quote does not end a string; a quote after an escaped backslash does.
    [String.raw`"a\",[{"`, 0],
    [String.raw`["\\",1]`, 2],
    [String.raw`["\\\",1]`, 1],
    [String.raw`["\\\\",{}]`, 3],
    ['"never ended [{', 0],
    ['', 0],
  ])('is counted outside of strings: %s', (json, count) => {
    expect(structureOf(json)).toBe(count);
  });

  it('is counted again after the closing quote of a string', () => {
    const json = Buffer.from(String.raw`"ab\\"c"`);
    expect([endOfString(json, 1), endOfString(json, 6), endOfString(json, 8)]).toEqual([5, 7, 8]);
  });
});

describe('find repeated name', () => {
  it.each([
    ['a', '{"a":1,"a":1}'],
    ['a', '{"\\u0061" \n : 1, "b": "\\"a\\":", "a": 2}'],
    ['loras[1].id', '{"loras":[{"id":[0,0]},{"id":"x","id":"y"}],"n":1}'],
    ['a.b', '{"a":{"c":{"b":1},"b":1,"b":2}}'],
    ['[0][1].__proto__', '[[{}, {"__proto__":1,"__proto__":1}]]'],
  ])('finds %s in %s', (path, json) => {
    expect(findRepeatedName(Buffer.from(json))).toBe(path);
  });

  it.each(['{"a":{"a":{"a":"a"}},"b":["a","a"]}', '[{"a":1},{"a":1}]', '"a"', '{"a":"\\\\","b":"\\",\\"a\\":"}', '1'])(
    'finds none in %s',
    (json) => {
      expect(findRepeatedName(Buffer.from(json))).toBeNull();
    },
  );
});

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
