import { waitSecondsOf } from './job-waits';

describe('Prefer: wait', () => {
  it.each([
    ['wait=1', 1],
    ['wait=60', 60],
    ['wait=61', 60],
    ['wait=999999999', 60],
    [`wait=${'9'.repeat(400)}`, 60],
    ['Wait = 5', 5],
    ['wait="7"', 7],
    ['respond-async, wait=10', 10],
    ['wait=10; foo="a"', 10],
    ['wait=3, wait=30', 3],
    ['wait=010', 10],
    ['wait=5, foo="a,b"', 5],
    ['foo="a, wait=9, b", wait=5', 5],
    [String.raw`foo="a\", wait=9", wait=5`, 5],
    [String.raw`foo="a\\", wait=5`, 5],
    ['wait=5; foo="a, b", wait=9', 5],
    [['respond-async', 'wait=9'], 9],
  ])('%j waits %i seconds', (prefer, seconds) => {
    expect(waitSecondsOf(prefer)).toBe(seconds);
  });

  it.each([
    undefined,
    '',
    'respond-async',
    'wait',
    'wait=',
    'wait=0',
    'wait=-1',
    'wait=1.5',
    'wait=1s',
    'wait="1',
    'wait=1e1',
    'await=5',
    'waiting=5',
    'wait=x, wait=5',
    'wait=0, wait=5',
    'foo="a, wait=5, b"',
    'foo="wait=5',
    'foo="a, wait=5',
    String.raw`foo="a\", wait=5`,
    'foo="a, wait=5, b\\',
  ])('%j is ignored', (prefer) => {
    expect(waitSecondsOf(prefer)).toBeNull();
  });
});
