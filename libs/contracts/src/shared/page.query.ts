import { IsCursor, IsIntegerText, Optional } from './field-rules';

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
