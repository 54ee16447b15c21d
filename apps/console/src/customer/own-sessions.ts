import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { SessionRepository, type SessionRow } from '../session/session.repository';
import type { Session } from '../session/sessions';
import { KeyRights, PortalKeys } from './key-rights';

const SHOWN_MAX = 100;

/** A signed-in browser, as another one of the same key sees it. */
export interface OwnSession {
  id: string;
  is_current: boolean;
  /** Whether a portal link opened it. */
  is_portal: boolean;
  key_prefix: string | null;
  /** Who has signed in with a password; null for a key or a portal link. */
  member_email: string | null;
  address: string;
  user_agent: string;
  created_at: string;
  expires_at: string;
}

/** The sessions that a session may see and end: those of its key, or with the scope `account` those of its account. A member who is no owner sees own ones only. */
@Injectable()
export class OwnSessions {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly rights: KeyRights,
    private readonly portalKeys: PortalKeys,
  ) {}

  async list(session: Session): Promise<{ data: OwnSession[] }> {
    return { data: (await this.read(session)).map((row) => toOwnSession(row, session)) };
  }

  /** A portal session ends with its key. @throws ApiError not_found */
  async end(session: Session, id: string): Promise<void> {
    const target = (await this.read(session)).find((row) => row.id.toString('hex') === id);
    if (!target || !(await this.sessions.delete(target.id)))
      throw new ApiError('not_found', 'There is no such session.');
    await this.portalKeys.revokeOf(target, session);
  }

  private async read(session: Session): Promise<SessionRow[]> {
    const accountId = await this.rights.assert(session, 'read');
    const { scope, api_key_id, member_id, member_role } = session;
    if (member_role !== null && member_role !== 'owner') {
      const all = await this.sessions.listOfAccount(accountId, null, SHOWN_MAX);
      return all.filter((row) => row.member_id === member_id);
    }
    return this.sessions.listOfAccount(accountId, scope === 'account' ? null : api_key_id, SHOWN_MAX);
  }
}

function toOwnSession(row: SessionRow, current: Session): OwnSession {
  const { is_portal, key_prefix, member_email, address, user_agent } = row;
  return {
    id: row.id.toString('hex'),
    is_current: row.id.equals(current.id),
    ...{ is_portal, key_prefix, member_email, address, user_agent },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
