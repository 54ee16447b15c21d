import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { ApiError } from '@kinora/contracts/shared/errors';
import { parseTimeText } from '@kinora/contracts/shared/texts';
import type {
  AccountDeliveryRef,
  ListAccountDeliveriesRequest,
  WebhookDeliveryDetails,
  WebhookDeliveryList,
} from '@kinora/contracts/webhooks/account-deliveries.rpc';
import { toPage } from '@kinora/bus';
import { DeliveryLogRepository } from '../delivery/delivery-log.repository';
import { toWebhookAttempt, toWebhookDelivery } from '../delivery/delivery.view';
import { deliveryHostOf } from '../delivery/new-delivery';
import { deliveryNotFound } from '../delivery/request-problem';

/** Of a page that a client reads, like that of (API: GET /jobs). */
const PAGE_MAX_BYTES = 256 * 1024;
const NAME_AND_PORT = /^[^\s/?#@\\]+$/;

/** What an account sees of its deliveries. */
@Injectable()
export class ListAccountDeliveries {
  constructor(private readonly log: DeliveryLogRepository) {}

  /** Newest first. */
  async execute(request: ListAccountDeliveriesRequest): Promise<WebhookDeliveryList> {
    const { account_id, limit, cursor = null, job_id = null, status = null } = request;
    if (job_id !== null && !isUUID(job_id)) throw invalidParameter('job_id', 'a UUID');
    if (cursor !== null && !isUUID(cursor)) throw invalidParameter('cursor', 'the next_cursor of the previous page');
    const filter = { account_id, job_id, status, event_id: null, ...hostOf(request), ...sinceOf(request) };
    const found = await this.log.list(filter, cursor, limit + 1);
    const page = { limit, maxBytes: PAGE_MAX_BYTES, cursorOf: ({ id }: { id: string }) => id };
    return { object: 'list', ...toPage(found.map(toWebhookDelivery), page) };
  }

  /** With the attempts. A delivery of another account is answered like an unknown one. */
  async get({ account_id, delivery_id }: AccountDeliveryRef): Promise<WebhookDeliveryDetails> {
    const row = isUUID(delivery_id) ? await this.log.find(delivery_id) : null;
    if (row?.account_id !== account_id) throw deliveryNotFound();
    const attempts = await this.log.listAttempts(row.id);
    return { ...toWebhookDelivery(row), attempts: attempts.map(toWebhookAttempt) };
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
