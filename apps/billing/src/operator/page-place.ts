/** Which rows of a list are read. */
export interface PagePlace {
  /** Of the last row of the page before; null for the first page. */
  cursor: string | null;
  /** One more than a page has, which tells whether more follow. */
  limit: number;
}
