import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { ApiKeyDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import { Database, type Queryable, statement } from '@kinora/database';
import type { PagePlace } from '../operator/page-place';
import { ApiKeyEntity } from './api-key.entity';
import type { MintedApiKey } from './minted-api-key';

interface NewApiKey
  extends
    Pick<ApiKeyEntity, 'id' | 'account_id' | 'name' | 'scope' | 'allowed_models'>,
    Partial<Pick<ApiKeyEntity, 'created_by' | 'is_portal' | 'user_id' | 'member_role'>>,
    Omit<MintedApiKey, 'key'> {
  /** An RFC 3339 time as the operator entered it. */
  expires_at: string | null;
}

type KeyTimes = Pick<ApiKeyEntity, 'created_at' | 'expires_at' | 'revoked_at' | 'last_used_at'>;

type ApiKeyRow = Omit<ApiKeyDetails, keyof KeyTimes> & KeyTimes;

const COLUMNS = `id AS api_key_id, name, prefix, scope, allowed_models,
  budget.cap_micros, budget.period AS cap_period,
  CASE WHEN budget.period_start < date_trunc(budget.period, now() AT TIME ZONE 'UTC') THEN 0 ELSE budget.spent_micros END
    AS spent_in_period_micros,
  created_at, expires_at, revoked_at, last_used_at`;

const LIST = statement(
  'api_key_list',
  `SELECT ${COLUMNS} FROM api_key LEFT JOIN key_budget AS budget ON budget.api_key_id = id
   WHERE account_id = $1 AND id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY id DESC LIMIT $3`,
);

const FIND_BY_FORMER_HASH = statement(
  'api_key_find_by_former_hash',
  'SELECT hash FROM api_key WHERE former_hash = ANY($1::bytea[]) AND former_valid_until > now()',
);

/** A rotation without an overlap ends every former secret. One with an overlap keeps only the last one. */
const REPLACE_SECRET = statement(
  'api_key_replace_secret',
  `UPDATE api_key
   SET hash = $2, prefix = $3, former_hash = CASE WHEN $4::integer > 0 THEN hash END,
       former_valid_until = CASE WHEN $4::integer > 0 THEN now() + $4::integer * interval '1 second' END
   WHERE id = $1`,
);

const REVOKE = statement(
  'api_key_revoke',
  `WITH revoked AS (UPDATE api_key SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 RETURNING *)
   SELECT ${COLUMNS} FROM revoked LEFT JOIN key_budget AS budget ON budget.api_key_id = id`,
);

/**
 * Replaces the hash only if it is still the one just used: another process may have replaced it, or may be configured
 * with the two peppers swapped.
 */
const REHASH = statement('api_key_rehash', 'UPDATE api_key SET hash = $3 WHERE id = $1 AND hash = $2');

/** Several replicas may report the same minute; only the first one writes. */
const NOTE_USE = statement(
  'api_key_note_use',
  `UPDATE api_key SET last_used_at = now()
   WHERE id = ANY($1::uuid[]) AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
);

/** API keys, identified by their hashes. The keys themselves are not stored. */
@Injectable()
export class ApiKeyRepository {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly apiKeys: Repository<ApiKeyEntity>,
    private readonly database: Database,
  ) {}

  async insert(on: Queryable, key: NewApiKey): Promise<void> {
    const expires_at = key.expires_at === null ? null : new Date(key.expires_at);
    await on.repository(ApiKeyEntity).insert({ ...key, expires_at });
  }

  /** Newest first, including revoked and expired keys. */
  async list(accountId: string, { cursor, limit }: PagePlace): Promise<ApiKeyDetails[]> {
    return (await this.database.query<ApiKeyRow>(LIST, [accountId, cursor, limit])).map(toApiKeyDetails);
  }

  /** Null where there is no such key. */
  async findAccount(apiKeyId: string): Promise<string | null> {
    const key = await this.apiKeys.findOne({ select: { account_id: true }, where: { id: apiKeyId } });
    return key?.account_id ?? null;
  }

  /** The key must exist. A key that was revoked before keeps its first revocation time. */
  async revoke(on: Queryable, apiKeyId: string): Promise<ApiKeyDetails> {
    const row = await on.findOne<ApiKeyRow>(REVOKE, [apiKeyId]);
    if (!row) throw new Error(`cannot revoke: no API key has the id ${apiKeyId}`);
    return toApiKeyDetails(row);
  }

  /** The present hash of the key that one of these secrets opened before a rotation; null after the overlap. */
  async findByFormerHash(hashes: Buffer[]): Promise<Buffer | null> {
    const row = await this.database.findOne<Pick<ApiKeyEntity, 'hash'>>(FIND_BY_FORMER_HASH, [hashes]);
    return row?.hash ?? null;
  }

  /** The previous secret stays valid for the overlap. */
  async replaceSecret(
    on: Queryable,
    apiKeyId: string,
    { hash, prefix, overlapSeconds }: Pick<MintedApiKey, 'hash' | 'prefix'> & { overlapSeconds: number },
  ): Promise<void> {
    await on.execute(REPLACE_SECRET, [apiKeyId, hash, prefix, overlapSeconds]);
  }

  async rehash(apiKeyId: string, former: Buffer, hash: Buffer): Promise<void> {
    await this.database.execute(REHASH, [apiKeyId, former, hash]);
  }

  async noteUse(apiKeyIds: string[]): Promise<void> {
    await this.database.execute(NOTE_USE, [apiKeyIds]);
  }
}

function toApiKeyDetails({ created_at, expires_at, revoked_at, last_used_at, ...named }: ApiKeyRow): ApiKeyDetails {
  return {
    ...named,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    revoked_at: revoked_at?.toISOString() ?? null,
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}

/** Two branches instead of an OR: each reads its own unique index. */
const FIND_BY_HASH = statement(
  'api_key_find_presented',
  `SELECT id, account_id, scope, expires_at, user_id, member_role FROM api_key
   WHERE hash = ANY($1::bytea[]) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
   UNION ALL
   SELECT id, account_id, scope, least(expires_at, former_valid_until), user_id, member_role FROM api_key
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

type PresentedKeyRow = Pick<ApiKeyEntity, 'id' | 'account_id' | 'scope' | 'expires_at' | 'user_id' | 'member_role'>;

/** Finds a key by its secret without a rate token. */
@Injectable()
export class PresentedKeyRepository {
  constructor(private readonly database: Database) {}

  /** Null for a key that is unknown, revoked or expired. */
  find(hashes: Buffer[], on: Queryable = this.database): Promise<PresentedKeyRow | null> {
    return on.findOne<PresentedKeyRow>(FIND_BY_HASH, [hashes]);
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
