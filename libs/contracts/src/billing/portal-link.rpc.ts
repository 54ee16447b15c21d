import { rpc } from '../shared/contract';
import type { KeyScope } from './key-scope';
import type { OperatorRequest } from './operator-action';

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
    timeoutMs: 5_000,
    errors: ['not_found', 'invalid_body', 'capacity'],
  }),
} as const;
