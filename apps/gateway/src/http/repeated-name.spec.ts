import { findRepeatedName } from './repeated-name';

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
