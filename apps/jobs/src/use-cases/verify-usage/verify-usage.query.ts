import { Injectable } from '@nestjs/common';
import { Database } from '@kinora/database';
import type { UsageViolation } from '@kinora/contracts/jobs/usage';
import { auditUsage } from '../../usage/usage-audit';

@Injectable()
export class VerifyUsage {
  constructor(private readonly database: Database) {}

  /** Recounts all ended jobs and reports every sum of usage that differs. */
  async execute(): Promise<{ violations: UsageViolation[] }> {
    return { violations: await this.database.transaction(auditUsage) };
  }
}
