import type { PartialList } from '@kinora/contracts/shared/page';

/** With its envelope a page fits into 1 MiB, the default `max_payload` of a NATS server. */
export const PAGE_MAX_BYTES = 960 * 1024;

/**
 * The first items that fit into one message together, measured as JSON. The first item is always included: otherwise a list
 * could never get past an item that is too large.
 */
export function fitIntoMessage<Item>(items: readonly Item[], maxBytes = PAGE_MAX_BYTES): Item[] {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    // The comma or bracket after the item counts too.
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return bytes > maxBytes && index > 0;
  });
  return items.slice(0, end === -1 ? items.length : end);
}

/**
 * A page of the found items: at most `limit` items, and at most `maxBytes` or what one message carries. `found` holds one item
 * more than `limit` if there are more. The cursor names the last item of the page, so the next page begins right after it.
 */
export function toPage<Item>(
  found: readonly Item[],
  { limit, maxBytes, cursorOf }: { limit: number; maxBytes?: number; cursorOf: (last: Item) => string },
): Required<PartialList<Item>> {
  const data = fitIntoMessage(found.slice(0, limit), maxBytes);
  const last = data.length < found.length ? data.at(-1) : undefined;
  return { data, has_more: last !== undefined, next_cursor: last === undefined ? null : cursorOf(last) };
}
