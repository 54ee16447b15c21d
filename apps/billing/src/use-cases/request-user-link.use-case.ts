import { Injectable } from '@nestjs/common';
import type { RequestLinkRequest } from '@kinora/contracts/billing/users.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database, type Queryable } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { BillingConfig } from '../billing.config';
import type { EmailContent } from '../email/email-content';
import { Emails } from '../email/emails';
import { readEmail, registeredDomain } from '../user/email-address';
import { LINK_TTL_SECONDS, pathOf, resetEmail, signUpEmail } from '../user/link-emails';
import { UserLinkRepository } from '../user/user-link.repository';
import { UserRepository } from '../user/user.repository';

/** In an hour; a stranger could otherwise fill a mailbox. */
export const LINKS_PER_EMAIL = 5;
const RETRY_SECONDS = 600;

interface Planned {
  purpose: 'sign_up' | 'reset';
  content: (url: string) => EmailContent;
}

/**
 * Sends a link that proves an address. The answer is the same for a known and an unknown one: the sign-up of a known one sends a link
 * for a new password, and the reset of an unknown one sends nothing.
 */
@Injectable()
export class RequestUserLink {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly links: UserLinkRepository,
    private readonly emails: Emails,
    private readonly config: BillingConfig,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @throws ApiError not_found where sign-up is not open, rate_limited by the domain of the address */
  async execute({ purpose, email: given }: RequestLinkRequest): Promise<Record<string, never>> {
    const email = readEmail(given);
    if (purpose === 'sign_up') await this.assertOpen(email);
    const isKnown = (await this.users.find(email)) !== null;
    const planned = plan(purpose, isKnown);
    if (planned) await this.database.transaction((transaction) => this.send(transaction, email, planned));
    return {};
  }

  private async assertOpen(email: string): Promise<void> {
    const { mode, perDomain } = this.config.signUp;
    if (mode !== 'open') throw new ApiError('not_found', 'Sign-up here needs an invitation.');
    const domain = registeredDomain(email);
    if ((await this.links.count(this.database, { domain })) < perDomain) return;
    this.logger.warn({ domain }, 'sign_ups_of_domain_limited');
    const message = `There are too many sign-ups from ${domain}. Retry in ten minutes.`;
    throw new ApiError('rate_limited', message, { retry_after_seconds: RETRY_SECONDS });
  }

  /** An address that gets too many links gets no further one. The answer does not say so, because it would disclose other requests. */
  private async send(transaction: Queryable, email: string, { purpose, content }: Planned): Promise<void> {
    if ((await this.links.count(transaction, { email })) >= LINKS_PER_EMAIL) return;
    const { token } = await this.links.insert(transaction, { purpose, email, ttlSeconds: LINK_TTL_SECONDS[purpose] });
    const url = this.emails.linkTo(pathOf(purpose, token));
    await this.emails.queue(transaction, { kind: purpose, recipient: email, account_id: null, content: content(url) });
  }
}

function plan(purpose: RequestLinkRequest['purpose'], isKnown: boolean): Planned | null {
  if (isKnown) return { purpose: 'reset', content: (url) => resetEmail(url, purpose === 'sign_up') };
  return purpose === 'sign_up' ? { purpose, content: signUpEmail } : null;
}
