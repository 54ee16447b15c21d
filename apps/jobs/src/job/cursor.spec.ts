import { decodeCursor, encodeCursor } from './cursor';

describe('a cursor of a list of jobs', () => {
  const cursor = { createdAt: new Date('2026-03-01T08:00:00.123Z'), id: '0199f3a0-0000-7000-8000-00000000000a' };
  const text = encodeCursor(cursor);

  it('decodes to the time and the id that it was made of', () => {
    expect(decodeCursor(text)).toEqual(cursor);
  });

  it.each([
    ['nothing', ''],
    ['a character that the decoder ignores', `${text}!`],
    ['padding', `${text}=`],
    ['a space before it', ` ${text}`],
    ['half of it', text.slice(0, 20)],
    ['another id', encodeCursor({ ...cursor, id: 'x' })],
    ['a time before 2001', encodeCursor({ ...cursor, createdAt: new Date(0) })],
  ])('is refused where it has %s', (_, other) => {
    expect(() => decodeCursor(other)).toThrow(expect.objectContaining({ code: 'invalid_query', param: 'cursor' }));
  });
});
