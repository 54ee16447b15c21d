import { IsCursor, IsIntegerText, Optional } from './field-rules';

/** A complete list. */
export interface List<Item> {
  object: 'list';
  data: Item[];
}

/** A page of a list, newest first. */
export interface Page<Item> extends List<Item> {
  /** Whether older ones follow. */
  has_more: boolean;
  /** The `cursor` of the next page; null on the last one. */
  next_cursor: string | null;
}

/** Paging parameters of an operator's list. */
export interface PageRequest {
  /** The `next_cursor` of the previous page; the first page when left out. */
  cursor?: string;
}

/** A page of an operator's list: at most the requested number of items, and fewer if a message carries no more. */
export interface PartialList<Item> {
  data: Item[];
  /** Whether more follow; none where this is left out. */
  has_more?: boolean;
  /** The `cursor` of the next page; null on the last one. */
  next_cursor?: string | null;
}

/** The query of a list without filters. */
export class PageQuery {
  /**
   * The maximum number of items of the page.
   * @default 20
   */
  @Optional()
  @IsIntegerText({ min: 1, max: 100 })
  limit?: string;

  /** The `next_cursor` of the previous page. */
  @Optional()
  @IsCursor()
  cursor?: string;
}
