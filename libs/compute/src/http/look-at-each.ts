/** Enough to hide the round trips; a backend that is asked more at once answers none of them sooner. */
const LOOKS_AT_ONCE = 32;

/** Looks at each item, some at a time; the answers by the items' ids. */
export async function lookAtEach<Item extends { id: string }, Answer>(
  items: Item[],
  look: (item: Item) => Promise<Answer>,
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  const waiting = items.values();
  const lookAtNext = async (): Promise<void> => {
    for (const item of waiting) answers.set(item.id, await look(item));
  };
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, lookAtNext));
  return answers;
}
