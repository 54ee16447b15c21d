import { Injectable } from '@nestjs/common';
import type { FailingEndpoint } from '@kinora/contracts/webhooks/webhooks.rpc';
import { DeliveryLogRepository } from '../../delivery/delivery-log.repository';
import { toFailingEndpoint } from '../../delivery/delivery.view';
import { assertLimit, assertUuid } from '../../delivery/request-problem';

export interface ListFailingEndpointsRequest {
  account_id?: string;
  limit?: number;
}

const DEFAULT_LIMIT = 50;

/** Shows at a glance where deliveries fail. */
@Injectable()
export class ListFailingEndpoints {
  constructor(private readonly log: DeliveryLogRepository) {}

  async execute(request: ListFailingEndpointsRequest): Promise<{ data: FailingEndpoint[] }> {
    const { account_id = null, limit = DEFAULT_LIMIT } = request;
    assertUuid('account_id', account_id);
    assertLimit(limit);
    return { data: (await this.log.listFailingEndpoints(account_id, limit)).map(toFailingEndpoint) };
  }
}
