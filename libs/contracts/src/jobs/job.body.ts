import { IsMetadata, IsNumberIn, IsText, Optional } from '../shared/field-rules';

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

/** A LoRA, by exactly one of `id` and `url`. */
export class LoraBody {
  /** A LoRA of the catalog. */
  @Optional()
  @IsText({ min: 1, max: 128 })
  id?: string;

  /**
   * A public https URL of a file in the safetensors format, whatever its name, for models that accept one; for videos the file
   * of the high-noise expert.
   * @format uri
   */
  @Optional()
  @IsText({ min: 1, max: 2048 })
  url?: string;

  /** The strength of its effect; the default of the catalog, or 0.8, when left out. */
  @Optional()
  @IsNumberIn({ min: 0.1, max: 1.5 })
  strength?: number;
}

/** A LoRA for videos, by exactly one of `id` and `url`; by URL it may be a pair of files. */
export class VideoLoraBody extends LoraBody {
  /**
   * The file of the low-noise expert; `url` serves both when left out.
   * @format uri
   */
  @Optional()
  @IsText({ min: 1, max: 2048 })
  low_url?: string;
}
