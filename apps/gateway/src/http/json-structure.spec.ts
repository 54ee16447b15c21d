import { endOfString, hasMoreStructureThan } from './json-structure';

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
