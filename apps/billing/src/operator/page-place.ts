/** The rows of a list to read. */
export interface PagePlace {
  /** The id of the last row on the previous page; null for the first page. */
  cursor: string | null;
  /** One more than the page size, to detect whether more rows follow. */
  limit: number;
}
