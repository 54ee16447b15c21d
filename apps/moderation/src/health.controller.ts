import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { moderationHealthRpc } from '@kinora/contracts/moderation/moderation-health.rpc';
import type { HealthReport } from '@kinora/contracts/shared/health';
import { Readiness } from '@kinora/service-kit';

/** Answers health requests over NATS, for operators without access to the health port. */
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Handles(moderationHealthRpc.check)
  check(_request: Record<string, never>): Promise<HealthReport> {
    return this.readiness.report();
  }
}
