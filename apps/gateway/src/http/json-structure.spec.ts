import { endOfString, hasMoreStructureThan } from './json-structure';

/** How many brackets, commas and colons the text has outside of its strings. */
function structureOf(json: string): number {
  let count = 0;
  while (hasMoreStructureThan(count, Buffer.from(json))) count += 1;
  return count;
}

describe('the structure of a JSON text', () => {
  it.each([
    ['"[{,:"', 0],
    ['{"a":[1,2]}', 4],
    // An escaped quote ends no string, and neither does an escaped backslash keep a quote from ending one.
    [String.raw`"a\",[{"`, 0],
    [String.raw`["\\",1]`, 2],
    [String.raw`["\\\",1]`, 1],
    [String.raw`["\\\\",{}]`, 3],
    ['"never ended [{', 0],
    ['', 0],
  ])('is counted outside of strings: %s', (json, count) => {
    expect(structureOf(json)).toBe(count);
  });

  it('goes on behind the quote that ends a string', () => {
    const json = Buffer.from(String.raw`"ab\\"c"`);
    expect([endOfString(json, 1), endOfString(json, 6), endOfString(json, 8)]).toEqual([5, 7, 8]);
  });
});
