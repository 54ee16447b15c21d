import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type DeliveryDetails, type DeliveryStatus, DELIVERY_STATUSES } from '@kinora/contracts/webhooks/webhooks.rpc';
import { isUUID } from 'class-validator';
import { DeliveryRepository } from '../../delivery/delivery.repository';
import { toDeliveryDetails } from '../../delivery/delivery.view';

export interface ListDeliveriesRequest {
  account_id?: string;
  job_id?: string;
  event_id?: string;
  status?: DeliveryStatus;
  limit?: number;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;

/** Lists deliveries for operators, newest first. */
@Injectable()
export class ListDeliveries {
  constructor(private readonly deliveries: DeliveryRepository) {}

  async execute(request: ListDeliveriesRequest): Promise<{ data: DeliveryDetails[] }> {
    const { account_id = null, job_id = null, event_id = null, status = null, limit = DEFAULT_LIMIT } = request;
    if (account_id !== null && !isUUID(account_id)) throw invalid('account_id', 'a UUID');
    if (job_id !== null && !isUUID(job_id)) throw invalid('job_id', 'a UUID');
    if (status !== null && !DELIVERY_STATUSES.includes(status))
      throw invalid('status', `one of ${DELIVERY_STATUSES.join(', ')}`);
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) throw invalid('limit', `from 1 to ${MAX_LIMIT}`);
    const rows = await this.deliveries.list({ account_id, job_id, event_id, status }, limit);
    return { data: rows.map(toDeliveryDetails) };
  }
}

function invalid(param: string, rule: string): ApiError {
  return new ApiError('invalid_body', `${param} must be ${rule}.`, { param });
}
