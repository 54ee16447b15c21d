import { IsText } from '../shared/field-rules';

/** A receiver to try. */
export class TestWebhookBody {
  /**
   * A public https URL, by the rules of `webhook_url`.
   * @format uri
   */
  @IsText({ min: 1, max: 2048 })
  url!: string;
}
