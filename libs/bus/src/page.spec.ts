import { PAGE_MAX_BYTES, fitIntoMessage, toPage } from './page';

const textOf = (bytes: number): string => 'x'.repeat(bytes - '"",'.length);
const page = (found: string[], limit: number) => toPage(found, { limit, cursorOf: (last) => `after ${last.length}` });

describe('a page', () => {
  it('ends before the first item that does not fit into the message', () => {
    const [half, rest] = [textOf(PAGE_MAX_BYTES / 2), textOf(PAGE_MAX_BYTES / 2)];
    expect(fitIntoMessage([half, rest])).toHaveLength(2);
    expect(fitIntoMessage([half, `${rest}x`])).toEqual([half]);
  });

  it('counts the bytes of UTF-8, not the characters', () => {
    expect(fitIntoMessage(['é'.repeat(10), 'é'.repeat(10)], 40)).toHaveLength(1);
  });

  it('always holds one item, however large it is', () => {
    const large = textOf(2 * PAGE_MAX_BYTES);
    expect(page([large, 'next'], 10)).toEqual({ data: [large], has_more: true, next_cursor: `after ${large.length}` });
    expect(page([large], 10)).toEqual({ data: [large], has_more: false, next_cursor: null });
  });

  it('states whether more items follow, whether the limit or the size ended it', () => {
    expect(page(['a', 'bb', 'ccc'], 2)).toEqual({ data: ['a', 'bb'], has_more: true, next_cursor: 'after 2' });
    expect(page(['a', 'bb'], 2)).toEqual({ data: ['a', 'bb'], has_more: false, next_cursor: null });
    expect(page([], 2)).toEqual({ data: [], has_more: false, next_cursor: null });
    const large = textOf(PAGE_MAX_BYTES);
    expect(page(['a', large], 2)).toEqual({ data: ['a'], has_more: true, next_cursor: 'after 1' });
  });
});
