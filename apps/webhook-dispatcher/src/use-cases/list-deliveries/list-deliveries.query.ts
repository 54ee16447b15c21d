import { Injectable } from '@nestjs/common';
import { toPage } from '@kinora/bus';
import type { PartialList } from '@kinora/contracts/shared/page';
import {
  type DeliveryDetails,
  DELIVERY_STATUSES,
  type ListDeliveriesRequest,
} from '@kinora/contracts/webhooks/webhooks.rpc';
import { DeliveryLogRepository } from '../../delivery/delivery-log.repository';
import { toDeliveryDetails } from '../../delivery/delivery.view';
import { assertLimit, assertUuid, invalidField } from '../../delivery/request-problem';

const DEFAULT_LIMIT = 50;

/** Lists deliveries for operators, newest first. */
@Injectable()
export class ListDeliveries {
  constructor(private readonly log: DeliveryLogRepository) {}

  async execute(request: ListDeliveriesRequest): Promise<PartialList<DeliveryDetails>> {
    const { account_id = null, job_id = null, event_id = null, status = null } = request;
    const { limit = DEFAULT_LIMIT, cursor = null } = request;
    assertUuid('account_id', account_id);
    assertUuid('job_id', job_id);
    if (status !== null && !DELIVERY_STATUSES.includes(status))
      throw invalidField('status', `one of ${DELIVERY_STATUSES.join(', ')}`);
    assertLimit(limit);
    assertUuid('cursor', cursor);
    const rows = await this.log.list({ account_id, job_id, event_id, status }, cursor, limit + 1);
    return toPage(rows.map(toDeliveryDetails), { limit, cursorOf: ({ delivery_id }) => delivery_id });
  }
}
