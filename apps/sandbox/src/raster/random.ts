/** A source of numbers in [0, 1) that gives the same series for the same seed, on every machine. */
export type Random = () => number;

/** FNV-1a over UTF-16 units: small, and stable over releases, so the same words always lead to the same image. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

export function pick<Item>(random: Random, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(random() * items.length)] ?? items[0];
}

/** A separate random series for each open choice, so that one choice does not change another. */
export type Luck = (what: string) => Random;

export function createLuck(seed: number): Luck {
  return (what) => createRandom(seed ^ hashText(what));
}
