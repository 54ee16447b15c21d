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
  address: string;
  user_agent: string;
  created_at: string;
  expires_at: string;
}

/** The sessions that a session may see and end: those of its key, or with the scope `account` those of its account. */
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
    return this.sessions.listOfAccount(accountId, session.scope === 'account' ? null : session.api_key_id, SHOWN_MAX);
  }
}

function toOwnSession(row: SessionRow, current: Session): OwnSession {
  const { is_portal, key_prefix, address, user_agent } = row;
  return {
    id: row.id.toString('hex'),
    is_current: row.id.equals(current.id),
    ...{ is_portal, key_prefix, address, user_agent },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
