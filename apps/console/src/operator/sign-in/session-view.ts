import type { Session } from '../../session/sessions';
import type { OperatorUserRow } from '../users/operator-user.repository';
import { PERMISSIONS, PERMISSIONS_OF_ROLE, type Permission, type Role } from '../users/permissions';

/** The session of the browser that asks, or that it has none, and how it can get one. */
export interface OperatorSession {
  kind: 'operator' | null;
  csrf_token: string | null;
  user: { id: string; email: string; role: Role } | null;
  permissions: Permission[];
  /** Until when actions that need the password run without it. */
  confirmed_until: string | null;
  expires_at: string | null;
  /** Whether there is no operator yet: the setup link then makes the first one. */
  needs_setup: boolean;
  /** Whether operators can sign in at an identity provider. */
  has_oidc: boolean;
}

export function toOperatorSession(
  signedIn: { session: Session; user: OperatorUserRow } | null,
  ways: Pick<OperatorSession, 'needs_setup' | 'has_oidc'>,
): OperatorSession {
  if (!signedIn) return { ...NO_SESSION, ...ways };
  const { session, user } = signedIn;
  const { id, email, role } = user;
  return {
    kind: 'operator',
    csrf_token: session.csrf_token,
    user: { id, email, role },
    permissions: PERMISSIONS.filter((permission) => PERMISSIONS_OF_ROLE[role].has(permission)),
    confirmed_until: session.confirmed_until?.toISOString() ?? null,
    expires_at: session.expires_at.toISOString(),
    ...ways,
  };
}

const NO_SESSION = {
  kind: null,
  csrf_token: null,
  user: null,
  permissions: [],
  confirmed_until: null,
  expires_at: null,
};
