/** All there is. */
export interface List<Item> {
  object: 'list';
  data: Item[];
}

/** A part of what there is, newest first. */
export interface Page<Item> extends List<Item> {
  /** Whether older ones follow. */
  has_more: boolean;
  /** The `cursor` of the next page; null on the last one. */
  next_cursor: string | null;
}
