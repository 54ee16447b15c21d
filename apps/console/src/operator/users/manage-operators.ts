import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { AddedOperator, OperatorDetails, OperatorRole } from '@kinora/contracts/console/operators.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Queryable } from '@kinora/database';
import { ConsoleConfig } from '../../console.config';
import { SessionRepository } from '../../session/session.repository';
import { type Actor, AuditTrail } from '../audit/audit-trail';
import { OperatorUserRepository, type OperatorUserRow } from './operator-user.repository';

const TOKEN_BYTES = 32;

/** The token of a setup link. */
function newSetupToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** What is stored of a token: the row does not reveal the link. */
export function setupTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const LINK_VALID_MS = 24 * 60 * 60_000;

/** Adds, lists and disables operators. */
@Injectable()
export class ManageOperators {
  constructor(
    private readonly config: ConsoleConfig,
    private readonly users: OperatorUserRepository,
    private readonly sessions: SessionRepository,
    private readonly audit: AuditTrail,
  ) {}

  async list(): Promise<OperatorDetails[]> {
    return (await this.users.list()).map(toDetails);
  }

  /**
   * @param reason of an operator of the console; the command line gives none
   * @throws ApiError invalid_body for an address that has a password or belongs to the identity provider
   */
  async add(
    by: Actor,
    { email, role }: { email: string; role: OperatorRole },
    reason?: string,
  ): Promise<AddedOperator> {
    const entry = { action: 'add_operator', target: email, ...(reason !== undefined && { reason }), after: { role } };
    return this.audit.run(by, entry, async () => {
      const user = await this.findOrInsert(by, email, role);
      const token = newSetupToken();
      await this.users.insertLink(setupTokenHash(token), user.id, new Date(Date.now() + LINK_VALID_MS));
      return { operator: toDetails(user), setup_url: `${this.config.origin}/operator/setup#token=${token}` };
    });
  }

  /**
   * The last owner stays, because operators could not be managed otherwise.
   * @param reason of an operator of the console; the command line gives none
   */
  async setDisabled(by: Actor, email: string, isDisabled: boolean, reason?: string): Promise<OperatorDetails> {
    const action = isDisabled ? 'disable_operator' : 'enable_operator';
    return this.audit.run(by, { action, target: email, ...(reason !== undefined && { reason }) }, async () => {
      const { id } = await this.users.runLocked(async (transaction) => {
        const user = await this.find(email, transaction);
        if (isDisabled) await this.assertAnotherOwner(user, transaction);
        await this.users.setDisabled(user.id, isDisabled, transaction);
        return user;
      });
      if (isDisabled) await this.sessions.deleteOfUser(id);
      return toDetails(await this.find(email));
    });
  }

  async setRole(by: Actor, email: string, role: OperatorRole, reason: string): Promise<OperatorDetails> {
    const user = await this.find(email);
    const entry = { action: 'set_role', target: email, reason, before: { role: user.role }, after: { role } };
    return this.audit.run(by, entry, async () => {
      await this.users.runLocked(async (transaction) => {
        if (role !== 'owner') await this.assertAnotherOwner(await this.find(email, transaction), transaction);
        await this.users.setRole(user.id, role, user.email, transaction);
      });
      return toDetails(await this.find(email));
    });
  }

  private async findOrInsert(by: Actor, email: string, role: OperatorRole): Promise<OperatorUserRow> {
    const created = { id: uuidv7(), email, role, password: null, subject: null, created_by: by.email };
    if (await this.users.insert(created)) return this.find(email);
    const known = await this.find(email);
    if (known.password === null && known.subject === null && known.disabled_at === null && known.role === role)
      return known;
    throw new ApiError('invalid_body', `There is an operator with the email ${email} already.`, { param: 'email' });
  }

  private async find(email: string, queryable?: Queryable): Promise<OperatorUserRow> {
    const user = await this.users.findByEmail(email, queryable);
    if (user) return user;
    throw new ApiError('not_found', `There is no operator with the email ${email}.`);
  }

  /** @throws ApiError invalid_body where the user is the only owner */
  private async assertAnotherOwner(user: OperatorUserRow, transaction: Queryable): Promise<void> {
    if (user.role !== 'owner' || user.disabled_at !== null) return;
    if ((await this.users.countOwners(transaction)) > 1) return;
    throw new ApiError('invalid_body', 'This is the only owner. Make another operator an owner first.', {
      param: 'email',
    });
  }
}

function toDetails({ id: user_id, email, role, ...row }: OperatorUserRow): OperatorDetails {
  return {
    ...{ user_id, email, role },
    sign_in: row.subject !== null ? 'oidc' : row.password === null ? 'invited' : 'local',
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    disabled_at: row.disabled_at?.toISOString() ?? null,
  };
}
