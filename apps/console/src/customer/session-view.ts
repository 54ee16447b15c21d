import { KEY_SCOPES, type KeyScope, includesScope } from '@kinora/contracts/billing/key-scope';
import type { Session } from '../session/sessions';

/** The session of the browser that asks, or that it has none. */
export interface CustomerSession {
  kind: 'customer' | null;
  /** Goes into `X-CSRF-Token` of every request that changes something. */
  csrf_token: string | null;
  account_id: string | null;
  /** What the session may do: the scopes that its API key includes. */
  capabilities: KeyScope[];
  expires_at: string | null;
  /** Of the API, for the code that pages show. */
  api_base_url: string;
}

export function toCustomerSession(session: Session | null, api_base_url: string): CustomerSession {
  if (!session)
    return { kind: null, csrf_token: null, account_id: null, capabilities: [], expires_at: null, api_base_url };
  const { csrf_token, account_id, scope, expires_at } = session;
  return {
    kind: 'customer',
    csrf_token,
    account_id,
    capabilities: KEY_SCOPES.filter((each) => scope !== null && includesScope(scope, each)),
    expires_at: expires_at.toISOString(),
    api_base_url,
  };
}
