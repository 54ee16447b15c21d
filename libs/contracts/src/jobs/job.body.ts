import { IsMetadata, IsText, Optional } from '../shared/field-rules';

/** Interface, "Optional on all three" creating operations. Whether the URL is public is the gateway's question. */
export class JobBody {
  @Optional()
  @IsText({ min: 1, max: 2048 })
  webhook_url?: string;

  @Optional()
  @IsMetadata()
  metadata?: Record<string, string>;
}
