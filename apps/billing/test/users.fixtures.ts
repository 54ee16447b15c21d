import { createHash, randomBytes } from 'node:crypto';
import type { DerivedPassword, MemberRole, MemberSession } from '@kinora/contracts/billing/users.rpc';
import { statement } from '@kinora/database';
import { waitFor } from '@kinora/testing';
import { AccountRepository } from '../src/account/account.repository';
import { BillingConfig } from '../src/billing.config';
import { ListEmails } from '../src/use-cases/list-emails.query';
import { InviteMember } from '../src/use-cases/manage-members.use-case';
import { RequestUserLink } from '../src/use-cases/request-user-link.use-case';
import { SignInUser } from '../src/use-cases/sign-in-user.use-case';
import { UseUserLink } from '../src/use-cases/use-user-link.use-case';
import { sha256, type TestBilling } from './billing.fixtures';

/** Billing that keeps its e-mails readable, and has open sign-up. */
export function openToAll(signUp: Partial<BillingConfig['signUp']> = {}): Partial<BillingConfig> {
  const { mail, signUp: usual } = new BillingConfig();
  return {
    profile: 'local',
    mail: { ...mail, folder: '/nowhere', consoleUrl: 'https://console.example.com' },
    signUp: { ...usual, mode: 'open', ...signUp },
  };
}

/** As the console derives it, without the cost. */
export function derive(
  password: string,
  salt = `scrypt$2$1$1$${randomBytes(16).toString('base64url')}`,
): DerivedPassword {
  return { salt, derived: createHash('sha256').update(`${salt} ${password}`).digest('hex') };
}

const LOCKED_OUT = statement(
  'spec_locked_out',
  `SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
);
const WAITING = statement('spec_emails_to', 'SELECT count(*) AS emails FROM email WHERE recipient = $1');

export class People {
  constructor(private readonly billing: TestBilling) {}

  request(purpose: 'sign_up' | 'reset', email: string) {
    return this.billing.get(RequestUserLink).execute({ purpose, email });
  }

  /** The token of the latest e-mail to the address; null without one. */
  async tokenFor(email: string): Promise<string | null> {
    const { data } = await this.billing.get(ListEmails).list({});
    const text = data.find(({ recipient }) => recipient === email)?.text ?? '';
    return /#token=([\w-]+)/.exec(text)?.[1] ?? null;
  }

  async emailsTo(email: string): Promise<number> {
    return (await this.billing.database.findOne<{ emails: number }>(WAITING, [email]))?.emails ?? 0;
  }

  use(token: string | null, password: DerivedPassword, account_name?: string): Promise<MemberSession> {
    const name = account_name === undefined ? {} : { account_name };
    return this.billing.get(UseUserLink).execute({ token_sha256: sha256(token ?? ''), password, ...name });
  }

  async signUp(email: string, password = 'correct horse battery'): Promise<MemberSession> {
    await this.request('sign_up', email);
    return this.use(await this.tokenFor(email), derive(password));
  }

  async signIn(email: string, password: string): Promise<MemberSession> {
    const { salt } = await this.billing.get(SignInUser).findSalt({ email });
    return this.billing.get(SignInUser).execute({ email, derived: derive(password, salt ?? undefined).derived });
  }

  /** Begins both while the account is locked, so that they overlap, and the first one gets the lock first. */
  async overlap<First, Second>(
    accountId: string,
    first: () => Promise<First>,
    second: () => Promise<Second>,
  ): Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
    const { database } = this.billing;
    const lockedOut = async (count: number) =>
      (await database.findOne<{ waiting: number }>(LOCKED_OUT))?.waiting === count;
    const begun = await database.transaction(async (transaction) => {
      await this.billing.get(AccountRepository).lock(transaction, accountId);
      const firstBegun = first();
      await waitFor(() => lockedOut(1));
      const secondBegun = second();
      await waitFor(() => lockedOut(2));
      return { ended: Promise.allSettled([firstBegun, secondBegun]) };
    });
    return begun.ended;
  }

  async join(account_id: string, email: string, role: MemberRole): Promise<MemberSession> {
    await this.billing.get(InviteMember).execute({ account_id, email, role, actor: 'spec' });
    return this.use(await this.tokenFor(email), derive('a password of many words'));
  }
}
