/** The list envelope without paging: `GET /models`. */
export interface List<Item> {
  object: 'list';
  data: Item[];
}

/** The list envelope with paging: `GET /jobs`. */
export interface Page<Item> extends List<Item> {
  has_more: boolean;
  next_cursor: string | null;
}
