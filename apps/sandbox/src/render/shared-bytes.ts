/** Bytes that the pool and its thread share while an order is drawn. */
export const SHARED = {
  /** Set by the pool: non-zero when the order is canceled. */
  canceled: 0,
  /** Set by the thread: how much is drawn, in percent. */
  percent: 1,
} as const;

export function createSharedBytes(): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(Object.keys(SHARED).length));
}
