/** Enough to hide the round trips; a backend that is asked more at once answers none of them sooner. */
const CONCURRENCY = 32;

/** Looks at each item, some at a time; the answers by the items' ids. */
export async function mapConcurrently<Item extends { id: string }, Answer>(
  items: Item[],
  fetchOne: (item: Item) => Promise<Answer>,
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  const waiting = items.values();
  const drainItems = async (): Promise<void> => {
    for (const item of waiting) answers.set(item.id, await fetchOne(item));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, drainItems));
  return answers;
}
