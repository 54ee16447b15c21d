/**
 * Groups the items; the last group may be smaller. When the source throws, the items so far are yielded before the error,
 * because one of them may already hold an objection.
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
