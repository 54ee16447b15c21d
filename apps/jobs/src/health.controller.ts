import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { jobsHealthRpc } from '@kinora/contracts/jobs/jobs-health.rpc';
import type { HealthReport } from '@kinora/contracts/shared/health';
import { Readiness } from '@kinora/service-kit';

/** For operators who reach the broker but not the health port. */
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Handles(jobsHealthRpc.check)
  check(_request: Record<string, never>): Promise<HealthReport> {
    return this.readiness.report();
  }
}
