import { Injectable } from '@nestjs/common';
import { Database, type Queryable, statement } from '@kinora/database';
import type { OpenRequest, ReportAnswers } from '@kinora/contracts/jobs/unanswered-requests.rpc';
import { v7 as uuidv7 } from 'uuid';

/** How long a resent request joins the one whose client was gone (decisions: OpenAI-compatible API). */
const JOIN_WITHIN = `interval '15 minutes'`;
/** Three reports of a gateway. A gateway that dies releases its requests after this time. */
const HOLDER_LEASE = `interval '3 seconds'`;
/** Longer than a request is held, and than it may be joined afterwards. */
const KEPT_FOR = `interval '1 hour'`;

/** Ends with its transaction. Requests of other bodies that share the hash wait, and nothing else happens to them. */
const LOCK_EQUAL = statement(
  'unanswered_lock_equal',
  `SELECT pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'kinora_unanswered', $1::text, $2::text, $3::text), 0))`,
);

const TAKE_OVER = 'UPDATE unanswered_request SET token = $4, holder_id = $5, released_at = NULL, answered_at = NULL';
const IS_EQUAL = 'request.api_key_id = $1 AND request.route = $2 AND request.body_sha256 = $3';

/**
 * Takes the oldest equal request that no gateway holds. SKIP LOCKED: of concurrent repeats each takes another one. A holder
 * without a lease has never reported, and its requests count as held by a dead process.
 */
const JOIN_RELEASED = statement(
  'unanswered_join_released',
  `${TAKE_OVER}
    WHERE id = (
      SELECT request.id FROM unanswered_request AS request LEFT JOIN request_holder AS holder ON holder.id = request.holder_id
       WHERE ${IS_EQUAL} AND request.answered_at IS NULL
         AND coalesce(request.released_at, holder.alive_until, request.opened_at)
             BETWEEN clock_timestamp() - ${JOIN_WITHIN} AND clock_timestamp()
       ORDER BY request.opened_at LIMIT 1
         FOR UPDATE OF request SKIP LOCKED)
   RETURNING id`,
);

/**
 * Takes an equal request although a gateway may hold it: the gateway may not know yet that the client is gone. With $6, takes an
 * answered one, too: the network or a proxy may have lost the answer. Held requests come first, the oldest before the others,
 * and then the one that was answered last. The statement waits for a concurrent repeat, and then joins the same request.
 */
const JOIN_HELD = statement(
  'unanswered_join_held',
  `${TAKE_OVER}
    WHERE id = (
      SELECT request.id FROM unanswered_request AS request
       WHERE ${IS_EQUAL} AND ($6 OR request.answered_at IS NULL)
         AND coalesce(request.answered_at, request.released_at, request.opened_at) > clock_timestamp() - ${JOIN_WITHIN}
       ORDER BY request.answered_at DESC NULLS FIRST, request.opened_at LIMIT 1
         FOR UPDATE)
   RETURNING id`,
);

/** The gateways other than that of the request which hold an equal one, as far as their leases last. */
const OTHER_HOLDERS = statement(
  'unanswered_other_holders',
  `SELECT DISTINCT holder.id, holder.alive_until
     FROM unanswered_request AS request JOIN request_holder AS holder ON holder.id = request.holder_id
    WHERE ${IS_EQUAL} AND request.released_at IS NULL AND request.answered_at IS NULL AND holder.id <> $4
      AND request.opened_at > clock_timestamp() - ${JOIN_WITHIN} AND holder.alive_until > clock_timestamp()`,
);

const OPEN = statement(
  'unanswered_open',
  `INSERT INTO unanswered_request (api_key_id, route, body_sha256, token, holder_id, id)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);

const RENEW = statement(
  'unanswered_renew_holder',
  `INSERT INTO request_holder (id, alive_until) VALUES ($1, clock_timestamp() + ${HOLDER_LEASE})
   ON CONFLICT (id) DO UPDATE SET alive_until = EXCLUDED.alive_until`,
);

const ANSWER = statement(
  'unanswered_answer',
  `UPDATE unanswered_request SET answered_at = clock_timestamp() WHERE token = ANY($1::uuid[]) AND released_at IS NULL`,
);

/** A repeat of a request whose job has failed is a new request, although the client marks it. */
const FORGET = statement('unanswered_forget', 'DELETE FROM unanswered_request WHERE token = ANY($1::uuid[])');

/** Also takes back the report of an answer: its client has reset the connection. */
const RELEASE = statement(
  'unanswered_release',
  `UPDATE unanswered_request SET released_at = clock_timestamp(), answered_at = NULL
    WHERE token = ANY($1::uuid[]) AND released_at IS NULL`,
);

export const PURGED_REQUESTS_PAGE = 1_000;

const PURGE = statement(
  'unanswered_purge',
  `DELETE FROM unanswered_request WHERE id IN (
     SELECT id FROM unanswered_request
      WHERE opened_at < statement_timestamp() - ${JOIN_WITHIN}
        AND (opened_at < statement_timestamp() - ${KEPT_FOR} OR answered_at < statement_timestamp() - ${JOIN_WITHIN})
      ORDER BY opened_at LIMIT ${PURGED_REQUESTS_PAGE})`,
);

const PURGE_HOLDERS = statement(
  'unanswered_purge_holders',
  `DELETE FROM request_holder WHERE alive_until < statement_timestamp() - ${KEPT_FOR}`,
);

export interface RequestHolder {
  id: string;
  alive_until: Date;
}

@Injectable()
export class UnansweredRequestRepository {
  constructor(private readonly database: Database) {}

  /**
   * Runs the work while no other equal request is joined or opened. Without this, a first sending that is opened late and its repeat
   * could both find nothing to join, and each would get a key of its own.
   */
  async oneAtATime<Result>(request: OpenRequest, work: (on: Queryable) => Promise<Result>): Promise<Result> {
    const { api_key_id, route, body_sha256 } = request;
    return await this.database.transaction(async (transaction) => {
      await transaction.execute(LOCK_EQUAL, [api_key_id, route, body_sha256]);
      return await work(transaction);
    });
  }

  /** The id of an equal request that this one now stands for, or null. */
  async join(on: Queryable, request: OpenRequest): Promise<string | null> {
    const released = await on.findOne<{ id: string }>(JOIN_RELEASED, valuesOf(request));
    if (released || !request.is_retry) return released?.id ?? null;
    const values = [...valuesOf(request), request.joins_answered ?? false];
    return (await on.findOne<{ id: string }>(JOIN_HELD, values))?.id ?? null;
  }

  async listOtherHolders(on: Queryable, request: OpenRequest): Promise<RequestHolder[]> {
    const { api_key_id, route, body_sha256, holder_id } = request;
    return await on.query<RequestHolder>(OTHER_HOLDERS, [api_key_id, route, body_sha256, holder_id]);
  }

  /** @returns the id of the new request */
  async open(on: Queryable, request: OpenRequest): Promise<string> {
    const id = uuidv7();
    await on.execute(OPEN, [...valuesOf(request), id]);
    return id;
  }

  /** Only the newest sending of a request holds it: the report of an earlier one changes nothing. */
  async report({ holder_id, answered, unanswered, failed = [] }: ReportAnswers): Promise<void> {
    await this.database.execute(RENEW, [holder_id]);
    if (answered.length > 0) await this.database.execute(ANSWER, [answered]);
    if (unanswered.length > 0) await this.database.execute(RELEASE, [unanswered]);
    if (failed.length > 0) await this.database.execute(FORGET, [failed]);
  }

  async purge(): Promise<number> {
    await this.database.execute(PURGE_HOLDERS);
    return await this.database.execute(PURGE);
  }
}

function valuesOf({ api_key_id, route, body_sha256, token, holder_id }: OpenRequest): string[] {
  return [api_key_id, route, body_sha256, token, holder_id];
}
