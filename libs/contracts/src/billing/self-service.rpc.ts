import { rpc } from '../shared/contract';
import type { ApiKeyList, IssuedApiKey } from './account-key';
import type { AccountStatementList } from './statement';
import type { CreateAccountKeyBody } from './account-key.body';

/** The key that makes the request. Billing reads its rights anew, under the lock of the account. */
export interface KeyCaller {
  account_id: string;
  api_key_id: string;
}

/** A page of a list that belongs to the caller's account. */
export interface CallerListRequest extends KeyCaller {
  /** 1 to 100. */
  limit: number;
  /** The `next_cursor` of the previous page. */
  cursor?: string;
}

export interface CreateAccountKeyRequest extends KeyCaller {
  input: CreateAccountKeyBody;
}

/** A key that the caller revokes or rotates; it may be the caller itself. */
export interface TargetKeyRequest extends KeyCaller {
  target_key_id: string;
}

export interface RotateAccountKeyRequest extends TargetKeyRequest {
  /** Seconds for which the previous secret stays valid: 0 to 604,800. */
  overlap_seconds: number;
}

export interface RotateAccountWebhookSecretRequest extends KeyCaller {
  /** Seconds for which the previous secret signs beside the new one: 0 to 604,800. */
  overlap_seconds: number;
}

/** The secret, in this answer only. */
export interface IssuedWebhookSecret {
  /** Signs the webhooks of the account from now on. It is in this response only, and cannot be read again. */
  webhook_secret: string;
}

const REFUSALS = ['invalid_api_key', 'scope_required'] as const;

/** Operations of an account on itself, for its keys of the scope `account`. */
export const selfServiceRpc = {
  /** The keys that the caller manages, newest first, without revoked ones. */
  listKeys: rpc<CallerListRequest, ApiKeyList>('billing.v1.list_account_keys', {
    errors: [...REFUSALS, 'invalid_query'],
  }),
  /** Issues a key that exceeds the caller in nothing. Not idempotent: a repeated request issues another key. */
  createKey: rpc<CreateAccountKeyRequest, IssuedApiKey>('billing.v1.create_account_key', {
    errors: [...REFUSALS, 'invalid_body', 'exceeds_key', 'too_many_keys', 'rate_limited'],
  }),
  /** Revokes a key that the caller manages, unless no other key could administer the account for as long. */
  revokeKey: rpc<TargetKeyRequest, Record<string, never>>('billing.v1.revoke_account_key', {
    errors: [...REFUSALS, 'not_found', 'last_account_key', 'rate_limited'],
  }),
  /** Replaces the secret of a key that the caller manages. The key keeps its id, its limits and what it has spent. */
  rotateKey: rpc<RotateAccountKeyRequest, IssuedApiKey>('billing.v1.rotate_account_key', {
    errors: [...REFUSALS, 'not_found', 'rate_limited'],
  }),
  /** The ledger entries of the account, newest first, each with the balance after it. */
  listStatement: rpc<CallerListRequest, AccountStatementList>('billing.v1.list_account_statement', {
    timeoutMs: 10_000,
    errors: [...REFUSALS, 'invalid_query'],
  }),
  /** Issues a new webhook secret; at most three former ones sign beside it. */
  rotateWebhookSecret: rpc<RotateAccountWebhookSecretRequest, IssuedWebhookSecret>(
    'billing.v1.rotate_account_webhook_secret',
    { errors: [...REFUSALS, 'rate_limited'] },
  ),
} as const;
