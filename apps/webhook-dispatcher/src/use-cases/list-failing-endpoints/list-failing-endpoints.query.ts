import { Injectable } from '@nestjs/common';
import { fitIntoMessage } from '@kinora/bus';
import type { PartialList } from '@kinora/contracts/shared/page';
import type { FailingEndpoint, ListFailingEndpointsRequest } from '@kinora/contracts/webhooks/webhooks.rpc';
import { DeliveryLogRepository } from '../../delivery/delivery-log.repository';
import { toFailingEndpoint } from '../../delivery/delivery.view';
import { assertLimit, assertPlace, assertUuid } from '../../delivery/request-problem';

const DEFAULT_LIMIT = 50;

/** Lists the endpoints at which deliveries fail. */
@Injectable()
export class ListFailingEndpoints {
  constructor(private readonly log: DeliveryLogRepository) {}

  async execute(request: ListFailingEndpointsRequest): Promise<PartialList<FailingEndpoint>> {
    const { account_id = null, limit = DEFAULT_LIMIT, cursor = '0' } = request;
    assertUuid('account_id', account_id);
    assertLimit(limit);
    assertPlace('cursor', cursor);
    const skipped = Number(cursor);
    const found = await this.log.listFailingEndpoints(account_id, skipped, limit + 1);
    // The order changes with every failure, so the cursor can only count items.
    const data = fitIntoMessage(found.slice(0, limit).map(toFailingEndpoint));
    const hasMore = data.length < found.length;
    return { data, has_more: hasMore, next_cursor: hasMore ? String(skipped + data.length) : null };
  }
}
