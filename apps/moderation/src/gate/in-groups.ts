/**
 * The items in groups of a size, the last of which may be smaller. Where the items break off, those that came are given
 * before the error is thrown: one of them may say all there is to know.
 */
export async function* inGroups<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let group: Item[] = [];
  const breakOff: unknown[] = [];
  try {
    for await (const item of items) {
      group.push(item);
      if (group.length < size) continue;
      yield group;
      group = [];
    }
  } catch (error) {
    breakOff.push(error);
  }
  if (group.length > 0) yield group;
  if (breakOff.length > 0) throw breakOff[0];
}
