import { Injectable } from '@nestjs/common';
import { toPage } from '@kinora/bus';
import { ApiError } from '@kinora/contracts/shared/errors';
import { parseTimeText } from '@kinora/contracts/shared/time-text';
import type { ListAccountDeliveriesRequest } from '@kinora/contracts/webhooks/account-deliveries.rpc';
import type { WebhookDeliveryList } from '@kinora/contracts/webhooks/account-delivery';
import { isUUID } from 'class-validator';
import { toWebhookDelivery } from '../../delivery/account-delivery.view';
import { DeliveryLogRepository } from '../../delivery/delivery-log.repository';
import { deliveryHostOf } from '../../delivery/new-delivery';

/** Of a page that a client reads, like that of (API: GET /jobs). */
const PAGE_MAX_BYTES = 256 * 1024;
const NAME_AND_PORT = /^[^\s/?#@\\]+$/;

/** Lists the deliveries of an account, newest first. */
@Injectable()
export class ListAccountDeliveries {
  constructor(private readonly log: DeliveryLogRepository) {}

  async execute(request: ListAccountDeliveriesRequest): Promise<WebhookDeliveryList> {
    const { account_id, limit, cursor = null, job_id = null, status = null } = request;
    if (job_id !== null && !isUUID(job_id)) throw invalidParameter('job_id', 'a UUID');
    if (cursor !== null && !isUUID(cursor)) throw invalidParameter('cursor', 'the next_cursor of the previous page');
    const filter = { account_id, job_id, status, event_id: null, ...hostOf(request), ...sinceOf(request) };
    const found = await this.log.list(filter, cursor, limit + 1);
    const page = { limit, maxBytes: PAGE_MAX_BYTES, cursorOf: ({ id }: { id: string }) => id };
    return { object: 'list', ...toPage(found.map(toWebhookDelivery), page) };
  }
}

/** As the rows have it: in lower case, with a port. */
function hostOf({ host: given }: ListAccountDeliveriesRequest): { host?: string } {
  if (given === undefined) return {};
  const host = NAME_AND_PORT.test(given) ? deliveryHostOf(`https://${given}`) : '';
  if (host === '') throw invalidParameter('host', 'a name or an address, with its port unless that is 443');
  return { host };
}

function sinceOf({ since: given }: ListAccountDeliveriesRequest): { since?: Date } {
  if (given === undefined) return {};
  const since = parseTimeText(given);
  // The ids of deliveries begin with their time, which has no place for a year before 1970 or after 9999.
  if (since === null || since.getTime() < 0) throw invalidParameter('since', 'a time as of RFC 3339, or a date');
  return { since };
}

function invalidParameter(param: string, rule: string): ApiError {
  return new ApiError('invalid_query', `${param} must be ${rule}.`, { param });
}
