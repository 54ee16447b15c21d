import { Injectable } from '@nestjs/common';
import { Database, type Queryable, statement } from '@kinora/database';
import { validate as isUuid } from 'uuid';
import type { ApiKeyEntity } from './api-key.entity';

/** Two branches instead of an OR: each reads its own unique index. */
const FIND_BY_HASH = statement(
  'api_key_find_presented',
  `SELECT id, account_id, scope, expires_at FROM api_key
   WHERE hash = ANY($1::bytea[]) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
   UNION ALL
   SELECT id, account_id, scope, least(expires_at, former_valid_until) FROM api_key
   WHERE former_hash = ANY($1::bytea[]) AND former_valid_until > now()
     AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
   LIMIT 1`,
);

const LIST_VALID_HASHES = statement(
  'api_key_list_valid_hashes',
  `SELECT hash FROM api_key
   WHERE hash = ANY($1::bytea[]) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
   UNION ALL
   SELECT former_hash FROM api_key
   WHERE former_hash = ANY($1::bytea[]) AND former_valid_until > now()
     AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
);

const REVOKE_PORTAL = statement(
  'api_key_revoke_portal',
  'UPDATE api_key SET revoked_at = now() WHERE hash = ANY($1::bytea[]) AND is_portal AND revoked_at IS NULL RETURNING id, account_id',
);

const REVOKE_PORTAL_OF_ACCOUNT = statement(
  'api_key_revoke_portal_of_account',
  'UPDATE api_key SET revoked_at = now() WHERE id = $1 AND account_id = $2 AND is_portal AND revoked_at IS NULL',
);

export type PresentedKeyRow = Pick<ApiKeyEntity, 'id' | 'account_id' | 'scope' | 'expires_at'>;

/** Finds a key by its secret without a rate token. */
@Injectable()
export class PresentedKeyRepository {
  constructor(private readonly database: Database) {}

  /** Null for a key that is unknown, revoked or expired. */
  find(hashes: Buffer[]): Promise<PresentedKeyRow | null> {
    return this.database.findOne<PresentedKeyRow>(FIND_BY_HASH, [hashes]);
  }

  /** Those of the hashes that a valid key has, or had before a rotation whose overlap goes on. */
  async listValid(hashes: Buffer[]): Promise<Buffer[]> {
    const rows = await this.database.query<Pick<ApiKeyEntity, 'hash'>>(LIST_VALID_HASHES, [hashes]);
    return rows.map(({ hash }) => hash);
  }

  /** Null where there is no such key of a portal session, or it is revoked already. */
  revokePortal(on: Queryable, hashes: Buffer[]): Promise<Pick<PresentedKeyRow, 'id' | 'account_id'> | null> {
    return on.findOne<Pick<PresentedKeyRow, 'id' | 'account_id'>>(REVOKE_PORTAL, [hashes]);
  }

  /** False where the account has no such key of a portal session, or it is revoked already. */
  async revokePortalOfAccount(on: Queryable, keyId: string, accountId: string): Promise<boolean> {
    return isUuid(keyId) && (await on.execute(REVOKE_PORTAL_OF_ACCOUNT, [keyId, accountId])) === 1;
  }
}
