import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { PartialList } from '@kinora/contracts/shared/page';
import {
  type AttemptDetails,
  DELIVERY_STATUSES,
  type DeliveryDetails,
  type FailingEndpoint,
  type ListDeliveriesRequest,
  type ListFailingEndpointsRequest,
} from '@kinora/contracts/webhooks/webhooks.rpc';
import { fitIntoMessage, toPage } from '@kinora/bus';
import { DeliveryLogRepository } from '../delivery/delivery-log.repository';
import { toAttemptDetails, toDeliveryDetails, toFailingEndpoint } from '../delivery/delivery.view';
import { assertLimit, assertPlace, assertUuid, deliveryNotFound, invalidField } from '../delivery/request-problem';

const DEFAULT_LIMIT = 50;

/** What operators see of deliveries. */
@Injectable()
export class ListDeliveries {
  constructor(private readonly log: DeliveryLogRepository) {}

  /** Newest first. */
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

  /** One delivery with the results of its attempts. */
  async get(deliveryId: string): Promise<{ delivery: DeliveryDetails; attempts: AttemptDetails[] }> {
    const row = isUUID(deliveryId) ? await this.log.find(deliveryId) : null;
    if (!row) throw deliveryNotFound();
    const attempts = await this.log.listAttempts(row.id);
    return { delivery: toDeliveryDetails(row), attempts: attempts.map(toAttemptDetails) };
  }

  /** The endpoints at which deliveries fail. */
  async failingEndpoints(request: ListFailingEndpointsRequest): Promise<PartialList<FailingEndpoint>> {
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
