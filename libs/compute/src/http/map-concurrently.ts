/** Enough to hide the latency; more parallel requests are not answered sooner. */
const CONCURRENCY = 32;

/** Polls each item, a bounded number in parallel; the answers by the items' ids. */
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
