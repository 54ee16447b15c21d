import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger, Pruner } from '@kinora/service-kit';
import { FINGERPRINTS_PRUNE_PAGE, FingerprintRepository } from '../fingerprint/fingerprint.repository';
import { ModerationConfig } from '../moderation.config';

const EVERY_MS = 60 * 60_000;

/** Deletes fingerprints after KINORA_FINGERPRINT_RETENTION_DAYS. */
@Injectable()
export class FingerprintPruner extends Pruner {
  constructor(
    private readonly fingerprints: FingerprintRepository,
    private readonly config: ModerationConfig,
    @InjectLogger() logger: Logger,
  ) {
    super(logger, EVERY_MS);
  }

  async prunePage(): Promise<boolean> {
    return (await this.fingerprints.prune(this.config.fingerprintRetentionDays)) === FINGERPRINTS_PRUNE_PAGE;
  }
}
