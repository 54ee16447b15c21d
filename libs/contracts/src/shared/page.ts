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

/** What an operator's list is asked for besides. */
export interface PageRequest {
  /** `next_cursor` of the page before; the first page when left out. */
  cursor?: string;
}

/** A part of an operator's list: at most as many items as were asked for, and fewer where a message carries no more. */
export interface PartialList<Item> {
  data: Item[];
  /** Whether more follow. Absent, like the one below, from a service of an older release, which knows no further page. */
  has_more?: boolean;
  /** The `cursor` of the next page; null on the last one. */
  next_cursor?: string | null;
}
