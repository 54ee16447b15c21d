import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import type {
  CloseUnkeyedRequest,
  OpenUnkeyedRequest,
  RequestSending,
} from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import { v7 as uuidv7 } from 'uuid';

/** How long a repeat joins an equal request (decisions: OpenAI-compatible API). */
const JOIN_WITHIN = `interval '15 minutes'`;

/**
 * The newest equal request. FOR UPDATE waits for a concurrent repeat and then reads the row again: an abandoned request is open after
 * its first repeat, so one unmarked repeat joins it, and the next one is a new request.
 */
const newestEqual = (isMatch: string) => `(
  SELECT id FROM unkeyed_request
   WHERE account_id = $2 AND request_hash = $3 AND ${isMatch} AND changed_at > clock_timestamp() - ${JOIN_WITHIN}
   ORDER BY changed_at DESC LIMIT 1 FOR UPDATE)`;
const ABANDONED = newestEqual(`state = 'abandoned'`);

/** Joins a request, or stores a new one. */
const opening = (joined: string) => `
  WITH joined AS (
    UPDATE unkeyed_request SET state = 'open', sending = sending + 1, changed_at = clock_timestamp()
     WHERE id = ${joined}
    RETURNING id, sending),
  opened AS (
    INSERT INTO unkeyed_request (id, account_id, request_hash)
    SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT FROM joined)
    RETURNING id, sending)
  SELECT id, sending FROM joined UNION ALL SELECT id, sending FROM opened`;
const OPEN_UNMARKED = statement('unkeyed_open_unmarked', opening(ABANDONED));
/** Of several equal requests, one that is known to be abandoned is more likely the one that is repeated. */
const OPEN_MARKED = statement('unkeyed_open_marked', opening(`coalesce(${ABANDONED}, ${newestEqual('true')})`));

const IS_OPEN_SENDING = `WHERE id = $1 AND sending = $2 AND state = 'open'`;
const CLOSE = statement(
  'unkeyed_close',
  `UPDATE unkeyed_request SET state = $3, changed_at = clock_timestamp() ${IS_OPEN_SENDING}`,
);
const FORGET = statement('unkeyed_forget', `DELETE FROM unkeyed_request ${IS_OPEN_SENDING}`);

export const PURGED_REQUESTS_PAGE = 1_000;

const PURGE = statement(
  'unkeyed_purge',
  `DELETE FROM unkeyed_request WHERE id IN (
     SELECT id FROM unkeyed_request WHERE changed_at < statement_timestamp() - ${JOIN_WITHIN}
      ORDER BY changed_at LIMIT ${PURGED_REQUESTS_PAGE})`,
);

@Injectable()
export class UnkeyedRequestRepository {
  constructor(private readonly database: Database) {}

  async open({ account_id, request_hash, is_marked }: OpenUnkeyedRequest): Promise<RequestSending> {
    const values = [uuidv7(), account_id, request_hash];
    const opened = await this.database.findOne<RequestSending>(is_marked ? OPEN_MARKED : OPEN_UNMARKED, values);
    if (!opened) throw new Error('The request was neither joined nor stored.');
    return opened;
  }

  async close({ id, sending, outcome }: CloseUnkeyedRequest): Promise<void> {
    if (outcome === 'failed') await this.database.execute(FORGET, [id, sending]);
    else await this.database.execute(CLOSE, [id, sending, outcome]);
  }

  purge(): Promise<number> {
    return this.database.execute(PURGE);
  }
}
