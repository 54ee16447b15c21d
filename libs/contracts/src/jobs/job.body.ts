import { IsMetadata, IsText, Optional } from '../shared/field-rules';

/** Optional fields of every create operation. The gateway checks whether the URL is public. */
export class JobBody {
  /**
   * Receives the event of the end of the job: a public https URL, port 443 or 8443, without user info.
   * @format uri
   */
  @Optional()
  @IsText({ min: 1, max: 2048 })
  webhook_url?: string;

  /** Stored with the job and included in webhooks; not interpreted by the service. */
  @Optional()
  @IsMetadata()
  metadata?: Record<string, string>;
}
