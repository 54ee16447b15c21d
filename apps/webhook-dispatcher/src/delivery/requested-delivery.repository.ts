import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database, type Queryable, inMonthsOfIds, inOpenMonths, statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import type { NewDelivery } from './new-delivery';

/** Redeliveries and test events that the keys of one account may request in an hour, together. Each is up to six requests. */
export const REQUESTED_PER_HOUR = 60;

/** The account and the key that requests a delivery. */
interface DeliveryRequester {
  account_id: string;
  api_key_id: string;
}

/** Requests of one account are counted one after another; those of others do not wait. */
const LOCK_ACCOUNT = statement(
  'delivery_lock_account',
  `SELECT pg_advisory_xact_lock(hashtextextended('requested deliveries of ' || $1::text, 0))`,
);

const WAIT_FOR_ROOM = statement(
  'delivery_wait_for_room',
  `SELECT ceil(extract(epoch FROM created_at + interval '1 hour' - clock_timestamp()))::integer AS seconds
   FROM delivery WHERE account_id = $1 AND requested_by IS NOT NULL AND ${inOpenMonths('id')}
   ORDER BY id DESC OFFSET ${REQUESTED_PER_HOUR - 1} LIMIT 1`,
);

/**
 * The account is in the statement, so that no request repeats a delivery of another account. One whose address is deleted cannot
 * be sent again. The copy of one whose content is deleted says so, and loses its address when it ends. The lock excludes a
 * concurrent deletion of the content, which would miss the copy.
 */
const REPEAT = statement(
  'delivery_repeat',
  `INSERT INTO delivery (id, event_id, event_type, account_id, job_id, host, url, body, content_deleted_at, redelivery_of,
                         requested_by)
   SELECT $1, event_id, event_type, account_id, job_id, host, url, body, content_deleted_at, id, $4
   FROM delivery WHERE id = $2 AND account_id = $3 AND url <> '' AND ${inMonthsOfIds('id')} FOR KEY SHARE`,
  { idsAt: 1 },
);

const INSERT = statement(
  'delivery_insert_requested',
  `INSERT INTO delivery (id, event_id, event_type, account_id, job_id, host, url, body, requested_by)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

/**
 * Writes the deliveries that keys request. They make the service send requests to an address that a client has named, so
 * their number is bounded for each account.
 */
@Injectable()
export class RequestedDeliveryRepository {
  constructor(private readonly database: Database) {}

  /** @returns the id of the new delivery; null if the account has no such delivery. @throws ApiError rate_limited */
  repeat(requester: DeliveryRequester, deliveryId: string): Promise<string | null> {
    const { account_id, api_key_id } = requester;
    const id = uuidv7();
    return this.database.transaction(async (transaction) => {
      await this.assertRoom(transaction, account_id);
      const inserted = await transaction.execute(REPEAT, [id, deliveryId, account_id, api_key_id]);
      return inserted === 1 ? id : null;
    });
  }

  /** @throws ApiError rate_limited */
  insert(requester: DeliveryRequester, delivery: NewDelivery): Promise<void> {
    const { id, event_id, event_type, account_id, job_id, host, url, body } = delivery;
    const values = [id, event_id, event_type, account_id, job_id, host, url, body, requester.api_key_id];
    return this.database.transaction(async (transaction) => {
      await this.assertRoom(transaction, account_id);
      await transaction.execute(INSERT, values);
    });
  }

  private async assertRoom(transaction: Queryable, accountId: string): Promise<void> {
    await transaction.execute(LOCK_ACCOUNT, [accountId]);
    const wait = await transaction.findOne<{ seconds: number }>(WAIT_FOR_ROOM, [accountId]);
    if (!wait || wait.seconds <= 0) return;
    const rule = `An account may request ${REQUESTED_PER_HOUR} redeliveries and test events an hour.`;
    throw new ApiError('rate_limited', `${rule} Retry in ${wait.seconds} s.`, { retry_after_seconds: wait.seconds });
  }
}
