import { IsOneOf, Optional } from '../shared/field-rules';

/** The query of GET /videos/{id}/content of the OpenAI-compatible API. */
export class VideoContentQuery {
  /**
   * What to download. There are no thumbnails and no sprite sheets.
   * @default "video"
   */
  @Optional()
  @IsOneOf(['video'])
  variant?: 'video';
}
