import { Injectable } from '@nestjs/common';
import { Database, type Queryable, statement } from '@kinora/database';
import { randomBase62 } from '../random-base62';
import { WebhookSecretEntity } from './account.entity';

/** Former secrets that sign beside the current one. Each adds a signature to every webhook of the account. */
export const FORMER_SECRETS_MAX = 3;

const SECRET_LENGTH = 40;

/** Retires only the current secret: secrets that were retired earlier keep their expiry. */
const RETIRE = statement(
  'webhook_secret_retire',
  `UPDATE webhook_secret SET valid_until = now() + $2 * interval '1 second'
   WHERE account_id = $1 AND valid_until IS NULL
   RETURNING valid_until`,
);

const END_OLDEST = statement(
  'webhook_secret_end_oldest',
  `UPDATE webhook_secret SET valid_until = now()
   WHERE id IN (SELECT id FROM webhook_secret WHERE account_id = $1 AND valid_until > now() ORDER BY id DESC OFFSET $2)`,
);

const LIST_VALID = statement(
  'webhook_secret_list_valid',
  `SELECT secret FROM webhook_secret
   WHERE account_id = $1 AND (valid_until IS NULL OR valid_until > now())
   ORDER BY id DESC`,
);

export const SECRETS_PRUNE_PAGE = 1_000;

/** Deletes a day after the expiry, so that an operator can still see which secret signed yesterday's webhooks. */
const PRUNE = statement(
  'webhook_secret_prune',
  `DELETE FROM webhook_secret WHERE id IN (
     SELECT id FROM webhook_secret WHERE valid_until < statement_timestamp() - interval '1 day'
     ORDER BY valid_until LIMIT ${SECRETS_PRUNE_PAGE})`,
);

/** The secrets that sign an account's webhooks: the current one, and retired ones until they expire. */
@Injectable()
export class WebhookSecretRepository {
  constructor(private readonly database: Database) {}

  /** Creates the current secret; there must be none. */
  async issue(transaction: Queryable, accountId: string): Promise<string> {
    const secret = `whsec_${randomBase62(SECRET_LENGTH)}`;
    await transaction.repository(WebhookSecretEntity).insert({ account_id: accountId, secret });
    return secret;
  }

  /** Sets the expiry of the current secret and returns it. */
  async retire(transaction: Queryable, accountId: string, graceSeconds: number): Promise<Date> {
    const row = await transaction.findOne<{ valid_until: Date }>(RETIRE, [accountId, graceSeconds]);
    if (!row) throw new Error(`account ${accountId} has no current webhook secret`);
    return row.valid_until;
  }

  /** Ends all but the newest retired secrets: each one adds a signature to every webhook. */
  async endOldest(transaction: Queryable, accountId: string, kept: number): Promise<void> {
    await transaction.execute(END_OLDEST, [accountId, kept]);
  }

  /** Newest first. */
  async listValid(accountId: string): Promise<string[]> {
    const rows = await this.database.query<Pick<WebhookSecretEntity, 'secret'>>(LIST_VALID, [accountId]);
    return rows.map(({ secret }) => secret);
  }

  /** Deletes a page of expired secrets. @returns how many */
  prune(): Promise<number> {
    return this.database.execute(PRUNE);
  }
}
