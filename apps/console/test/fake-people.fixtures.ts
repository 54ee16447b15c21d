import {
  MEMBER_ROLES,
  type MemberList,
  type MemberRole,
  membersRpc,
  usersRpc,
} from '@kinora/contracts/billing/users.rpc';
import type { PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import { answering, on } from '@kinora/testing';
import type { Type } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { Browser } from './browser.fixtures';
import type { ConsoleTestBed } from './console.fixtures';
import type { FakeKeys } from './fake-billing.fixtures';

const SALT = 'scrypt$2$1$1$c2FsdHNhbHRzYWx0c2E';
const unknownUser = () => new ApiError('not_found', 'There is no such user or link.');

/** The people of a test: one for each role, named after it, and a link for whom a test makes one. */
export class FakePeople {
  readonly account_id = uuidv7();
  /** What came from the console. */
  readonly received: { subject: string; request: object }[] = [];
  /** Of the latest sign-up; null for the next one to be refused. */
  isOpen = true;
  /** By the hash of its token. */
  readonly links = new Map<string, MemberRole>();
  keys!: FakeKeys;

  answers(): Type {
    return answering(
      this.noted(usersRpc.findSalt, ({ email }) => ({ salt: this.roleOf(email) === undefined ? null : SALT })),
      this.noted(usersRpc.signIn, (request) => {
        const role = this.roleOf(request.email);
        if (role === undefined || request.derived !== this.rightPassword) throw unknownUser();
        return this.sessionOf(role);
      }),
      this.noted(usersRpc.signInAtProvider, (request) => {
        const role = this.roleOf(request.email);
        if (role === undefined) throw unknownUser();
        return this.sessionOf(role);
      }),
      this.noted(usersRpc.requestLink, () => {
        if (!this.isOpen) throw unknownUser();
        return {};
      }),
      on(usersRpc.showLink, ({ token_sha256 }) => {
        if (!this.links.has(token_sha256)) throw unknownUser();
        return { purpose: 'sign_up' as const, email: 'new@people.test', role: null, salt: null };
      }),
      this.noted(usersRpc.useLink, (request) => {
        const role = this.links.get(request.token_sha256);
        if (role === undefined || !this.links.delete(request.token_sha256)) throw unknownUser();
        return this.sessionOf(role);
      }),
      on(membersRpc.list, this.changed('list')),
      on(membersRpc.invite, this.changed('invite')),
      on(membersRpc.cancelInvitation, this.changed('cancelInvitation')),
      on(membersRpc.setRole, this.changed('setRole')),
      on(membersRpc.remove, this.changed('remove')),
      on(membersRpc.listAccounts, () => ({
        data: [{ account_id: this.account_id, name: 'A', role: 'owner' as const }],
      })),
      on(membersRpc.switchAccount, ({ key_sha256, account_id }) => {
        const { api_key_id: proved } = this.keys.find(key_sha256);
        this.received.push({ subject: 'switchAccount', request: { proved, account_id } });
        if (account_id !== this.account_id) throw unknownUser();
        return this.sessionOf('billing');
      }),
    );
  }

  /** What the password of these tests derives. */
  rightPassword = '';

  private noted<Request extends object, Response>(
    contract: RpcContract<Request, Response>,
    answer: (request: Request) => Response,
  ) {
    return on(contract, (request) => {
      this.received.push({ subject: contract.subject.replace(/^.*\./, ''), request });
      return answer(request);
    });
  }

  private changed(subject: string) {
    return ({ key_sha256, ...request }: PresentedKeyRequest): MemberList => {
      this.received.push({ subject, request: { proved: this.keys.find(key_sha256).api_key_id, ...request } });
      return { members: [], invitations: [] };
    };
  }

  private roleOf(email: string): MemberRole | undefined {
    return MEMBER_ROLES.find((role) => email === `${role}@people.test`);
  }

  private sessionOf(role: MemberRole) {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const key = this.keys.create(role === 'viewer' ? 'read' : 'account', this.account_id, expires_at);
    return { ...key, expires_at, user_id: uuidv7(), email: `${role}@people.test`, role };
  }
}

/** A browser in which a member of the role has signed in. */
export async function memberBrowser(bed: ConsoleTestBed, role: MemberRole, password: string): Promise<Browser> {
  const browser = bed.browser();
  const answer = await browser.post('/admin/v1/session/password', { email: `${role}@people.test`, password });
  if (answer.status !== 200) throw new Error(`The sign-in was answered ${answer.status}: ${answer.text}`);
  browser.csrfToken = answer.json<{ csrf_token: string }>().csrf_token;
  return browser;
}
