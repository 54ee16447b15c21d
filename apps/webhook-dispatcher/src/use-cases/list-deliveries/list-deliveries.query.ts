import { Injectable } from '@nestjs/common';
import { type DeliveryDetails, type DeliveryStatus, DELIVERY_STATUSES } from '@kinora/contracts/webhooks/webhooks.rpc';
import { DeliveryLogRepository } from '../../delivery/delivery-log.repository';
import { toDeliveryDetails } from '../../delivery/delivery.view';
import { assertLimit, assertUuid, invalidField } from '../../delivery/request-problem';

export interface ListDeliveriesRequest {
  account_id?: string;
  job_id?: string;
  event_id?: string;
  status?: DeliveryStatus;
  limit?: number;
}

const DEFAULT_LIMIT = 50;

/** Lists deliveries for operators, newest first. */
@Injectable()
export class ListDeliveries {
  constructor(private readonly log: DeliveryLogRepository) {}

  async execute(request: ListDeliveriesRequest): Promise<{ data: DeliveryDetails[] }> {
    const { account_id = null, job_id = null, event_id = null, status = null, limit = DEFAULT_LIMIT } = request;
    assertUuid('account_id', account_id);
    assertUuid('job_id', job_id);
    if (status !== null && !DELIVERY_STATUSES.includes(status))
      throw invalidField('status', `one of ${DELIVERY_STATUSES.join(', ')}`);
    assertLimit(limit);
    const rows = await this.log.list({ account_id, job_id, event_id, status }, limit);
    return { data: rows.map(toDeliveryDetails) };
  }
}
