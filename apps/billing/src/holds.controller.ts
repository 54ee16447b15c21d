import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import {
  type ChargingHoldsRequest,
  type JobEntry,
  type KnownHold,
  type OpenHold,
  type OpenHoldsRequest,
  billingRpc,
} from '@kinora/contracts/billing/billing.rpc';
import { FindJobEntries } from './use-cases/find-job-entries/find-job-entries.query';
import { FindHolds } from './use-cases/find-holds/find-holds.query';
import { ListChargingHolds } from './use-cases/list-charging-holds/list-charging-holds.query';
import { ListOpenHolds } from './use-cases/list-open-holds/list-open-holds.query';

/** Serves the requests of the jobs service about holds. */
@Controller()
export class HoldsController {
  constructor(
    private readonly listOpenHoldsUseCase: ListOpenHolds,
    private readonly findHoldsUseCase: FindHolds,
    private readonly listChargingHoldsUseCase: ListChargingHolds,
    private readonly findJobEntriesQuery: FindJobEntries,
  ) {}

  @Handles(billingRpc.listOpenHolds)
  listOpenHolds(request: OpenHoldsRequest): Promise<{ holds: OpenHold[] }> {
    return this.listOpenHoldsUseCase.execute(request);
  }

  @Handles(billingRpc.findHolds)
  findHolds(request: { job_ids: string[] }): Promise<{ holds: KnownHold[] }> {
    return this.findHoldsUseCase.execute(request);
  }

  @Handles(billingRpc.findJobEntries)
  findJobEntries(request: { job_id: string }): Promise<{ entries: JobEntry[] }> {
    return this.findJobEntriesQuery.execute(request);
  }

  @Handles(billingRpc.listChargingHolds)
  listChargingHolds(request: ChargingHoldsRequest): Promise<{ holds: KnownHold[] }> {
    return this.listChargingHoldsUseCase.execute(request);
  }
}
