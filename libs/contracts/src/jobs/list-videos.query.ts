import { IsIntegerText, IsOneOf, IsText, Optional } from '../shared/field-rules';

/** The query of GET /videos of the OpenAI-compatible API. */
export class ListVideosQuery {
  /**
   * The maximum number of videos of the page.
   * @default 20
   */
  @Optional()
  @IsIntegerText({ min: 1, max: 100 })
  limit?: string;

  /** The `last_id` of the previous page, which is the id of its last video. */
  @Optional()
  @IsText({ min: 1, max: 200 })
  after?: string;

  /**
   * By the time of creation: `desc` begins with the newest.
   * @default "desc"
   */
  @Optional()
  @IsOneOf(['asc', 'desc'])
  order?: 'asc' | 'desc';
}
