import { rpc } from '../shared/contract';
import type { KeyScope } from './api-key-format';
import type { OperatorRequest } from './operator-action';

/** A key that is presented to the console, by its hash. */
export interface PresentedKeyRequest {
  /** The hash in hex; the key itself is never sent between services. */
  key_sha256: string;
}

export interface RevokePortalKeyRequest extends PresentedKeyRequest {
  /** Another portal key of the account, for which the presented key needs the scope `account`. The presented key when left out. */
  target_key_id?: string;
}

/** What the console needs to know of a key to open a session with it. */
export interface PresentedKey {
  account_id: string;
  api_key_id: string;
  scope: KeyScope;
  /** When the presented secret stops working; null if it does not. */
  expires_at: string | null;
}

/** A link that a customer opens, by the hash of its token. */
export interface RedeemPortalLinkRequest {
  /** SHA-256 in hex. */
  token_sha256: string;
}

/** The key that a link has made, for one session of the console. */
export interface PortalKey extends PresentedKey {
  /** Shown once; only a hash is stored. */
  api_key: string;
  expires_at: string;
}

/** Requests of the customers' half of the console. Each concerns the key or the link whose secret the request proves. */
export const portalRpc = {
  describeKey: rpc<PresentedKeyRequest, PresentedKey>('billing.v1.describe_key', { errors: ['invalid_api_key'] }),
  /** Uses up the link, and makes a key that expires with the session. Of two uses at the same time, one is `not_found`. */
  redeemLink: rpc<RedeemPortalLinkRequest, PortalKey>('billing.v1.redeem_portal_link', { errors: ['not_found'] }),
  /** Revokes a key that a link has made. Of any other key it changes nothing. */
  revokePortalKey: rpc<RevokePortalKeyRequest, { revoked: boolean }>('billing.v1.revoke_portal_key', {
    errors: ['invalid_api_key', 'scope_required'],
  }),
} as const;

/** How long a link may wait for its use, in seconds. */
export const PORTAL_LINK_TTL_SECONDS = { min: 60, max: 86_400, default: 900 } as const;

export interface CreatePortalLinkRequest extends OperatorRequest {
  account_id: string;
  /** What the session may do: the scopes of its key, the greatest of which counts; DEFAULT_KEY_SCOPE when left out. */
  capabilities?: KeyScope[];
  /** Seconds until the link expires; PORTAL_LINK_TTL_SECONDS has the bounds and the default. */
  ttl_seconds?: number;
}

export interface CreatedPortalLink {
  account_id: string;
  /** Shown once; only a hash is stored. The link is `{console}/portal#token=…`. */
  token: string;
  scope: KeyScope;
  expires_at: string;
}

/** For operators: links that sign a customer in to the console, each once. */
export const portalLinkRpc = {
  createLink: rpc<CreatePortalLinkRequest, CreatedPortalLink>('billing.v1.create_portal_link', {
    errors: ['not_found', 'invalid_body'],
  }),
} as const;
