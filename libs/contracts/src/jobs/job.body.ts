import { IsMetadata, IsText, Optional } from '../shared/field-rules';

/** What every creating operation may be told besides. Whether the URL is public is the gateway's question. */
export class JobBody {
  /**
   * Receives the event of the end of the job: a public https URL, port 443 or 8443, without user info.
   * @format uri
   */
  @Optional()
  @IsText({ min: 1, max: 2048 })
  webhook_url?: string;

  /** Kept with the job and sent along in webhooks; means nothing to the service. */
  @Optional()
  @IsMetadata()
  metadata?: Record<string, string>;
}
