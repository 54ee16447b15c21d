import { Injectable } from '@nestjs/common';
import { Database, type Queryable, statement } from '@kinora/database';
import type { PortalLinkEntity } from './api-key.entity';

export const LINKS_PRUNE_PAGE = 1_000;

const INSERT = statement(
  'portal_link_insert',
  `INSERT INTO portal_link (token_hash, account_id, scope, created_by, expires_at)
   VALUES ($1, $2, $3, $4, now() + $5::integer * interval '1 second') RETURNING expires_at`,
);
/** The row lock of the DELETE decides between concurrent uses: one of them gets the row. */
const TAKE = statement(
  'portal_link_take',
  `DELETE FROM portal_link WHERE token_hash = $1 AND expires_at > now() RETURNING account_id, scope, created_by`,
);
const PRUNE = statement(
  'portal_link_prune',
  `DELETE FROM portal_link WHERE token_hash IN (
     SELECT token_hash FROM portal_link WHERE expires_at <= now() ORDER BY expires_at LIMIT ${LINKS_PRUNE_PAGE})`,
);

type PortalLink = Pick<PortalLinkEntity, 'token_hash' | 'account_id' | 'scope' | 'created_by'>;

/** Links that are neither used nor pruned. */
@Injectable()
export class PortalLinkRepository {
  constructor(private readonly database: Database) {}

  /** @returns when it expires */
  async insert(on: Queryable, link: PortalLink, ttlSeconds: number): Promise<Date> {
    const { token_hash, account_id, scope, created_by } = link;
    const values = [token_hash, account_id, scope, created_by, ttlSeconds];
    const row = await on.findOne<Pick<PortalLinkEntity, 'expires_at'>>(INSERT, values);
    if (!row) throw new Error('The INSERT of a portal link returned no row.');
    return row.expires_at;
  }

  /** Uses up the link. Null for one that is unknown, used or expired. */
  take(on: Queryable, tokenHash: Buffer): Promise<Omit<PortalLink, 'token_hash'> | null> {
    return on.findOne<Omit<PortalLink, 'token_hash'>>(TAKE, [tokenHash]);
  }

  /** Deletes a page of expired links. @returns how many */
  prune(): Promise<number> {
    return this.database.execute(PRUNE);
  }
}
