import { Injectable } from '@nestjs/common';
import type { ReceiptKey } from '@kinora/contracts/jobs/receipt';
import { Database, inMonthsOfIds, statement } from '@kinora/database';
import type { PublicJwk } from '@kinora/signatures';
import { RECEIPT_COLUMNS, type ReceiptRow } from './receipt-fact.entity';
import type { ReceiptKeyEntity } from './receipt-key.entity';

/** Keys are replaced by hand, so a hundred are more than an installation ever has; the bound keeps the answer small. */
const KEYS_MAX = 100;

const ADD = statement(
  'receipt_key_add',
  'INSERT INTO receipt_key (kid, x) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING',
);

const LIST = statement(
  'receipt_key_list',
  `SELECT kid, x, created_at, withdrawn_at FROM receipt_key WHERE withdrawn_at IS NULL OR $1
    ORDER BY created_at DESC, kid LIMIT ${KEYS_MAX}`,
);

const FIND = statement('receipt_key_find', 'SELECT kid, x, created_at, withdrawn_at FROM receipt_key WHERE kid = $1');

const WITHDRAW = statement(
  'receipt_key_withdraw',
  `UPDATE receipt_key SET withdrawn_at = coalesce(withdrawn_at, clock_timestamp()) WHERE kid = $1
   RETURNING kid, x, created_at, withdrawn_at`,
);

@Injectable()
export class ReceiptKeyRepository {
  constructor(private readonly database: Database) {}

  /** A key that is stored already stays as it is, also a withdrawn one. */
  async add(keys: Pick<PublicJwk, 'kid' | 'x'>[]): Promise<void> {
    await this.database.execute(ADD, [keys.map(({ kid }) => kid), keys.map(({ x }) => x)]);
  }

  /** Newest first. */
  async list({ withWithdrawn }: { withWithdrawn: boolean }): Promise<ReceiptKey[]> {
    return (await this.database.query<ReceiptKeyEntity>(LIST, [withWithdrawn])).map(toReceiptKey);
  }

  async find(kid: string): Promise<ReceiptKey | null> {
    const row = await this.database.findOne<ReceiptKeyEntity>(FIND, [kid]);
    return row && toReceiptKey(row);
  }

  /** Null for an unknown key. */
  async withdraw(kid: string): Promise<ReceiptKey | null> {
    const row = await this.database.findOne<ReceiptKeyEntity>(WITHDRAW, [kid]);
    return row && toReceiptKey(row);
  }
}

function toReceiptKey({ created_at, withdrawn_at, ...key }: ReceiptKeyEntity): ReceiptKey {
  return { ...key, created_at: created_at.toISOString(), withdrawn_at: withdrawn_at?.toISOString() ?? null };
}

const FIND_ROW = statement(
  'receipt_row_find',
  `SELECT ${RECEIPT_COLUMNS.sql}, (SELECT count(*) FROM attempt WHERE job_id = job.id AND ${inMonthsOfIds('job_id')}) AS attempts
     FROM job WHERE id = $1 AND account_id = $2 AND ${inMonthsOfIds('id')}
   UNION ALL
   SELECT ${RECEIPT_COLUMNS.sql}, attempts FROM receipt_fact WHERE id = $1 AND account_id = $2`,
  { idsAt: 0 },
);

@Injectable()
export class ReceiptRowRepository {
  constructor(private readonly database: Database) {}

  /** Null for an unknown job, and for one of another account. */
  find(jobId: string, accountId: string): Promise<ReceiptRow | null> {
    return this.database.findOne<ReceiptRow>(FIND_ROW, [jobId, accountId]);
  }
}
