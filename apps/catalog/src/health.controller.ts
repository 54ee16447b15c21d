import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { catalogHealthRpc } from '@kinora/contracts/catalog/catalog-health.rpc';
import type { HealthReport } from '@kinora/contracts/shared/health';
import { Readiness } from '@kinora/service-kit';

/** Serves health checks over the broker, for operators without access to the health port. */
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Handles(catalogHealthRpc.check)
  check(_request: Record<string, never>): Promise<HealthReport> {
    return this.readiness.report();
  }
}
