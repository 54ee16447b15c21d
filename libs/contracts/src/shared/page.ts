/** The list envelope without paging: `GET /models`. */
export interface List<Item> {
  object: 'list';
  data: Item[];
}

/** The list envelope with paging: `GET /jobs`. */
export interface Page<Item> extends List<Item> {
  /** Whether older ones follow. */
  has_more: boolean;
  /** The `cursor` of the next page; null on the last one. */
  next_cursor: string | null;
}
