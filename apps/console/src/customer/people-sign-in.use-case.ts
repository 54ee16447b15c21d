import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type LinkPurpose,
  type MemberRole,
  type MemberSession,
  type RequestLinkRequest,
  type SignInAtProviderRequest,
  usersRpc,
} from '@kinora/contracts/billing/users.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ConsoleConfig } from '../console.config';
import { AttemptLimits } from '../session/attempt-limits';
import { KnownBrowser } from '../session/known-browser';
import { assertPassword, derivePassword, newSalt } from '../session/password';
import { type NewCustomer, type Session, Sessions } from '../session/sessions';
import { CustomerBus } from './customer-connection';
import { PortalKeys, sha256 } from './key-rights';

const REFUSED = 'The e-mail address or the password is not valid.';
const LINK_REFUSED = 'The link is not valid: it was used before, or has expired. Or the password is wrong.';

const PROVIDER_REFUSED = 'The identity provider has confirmed no user of this service.';

/** A link as its page shows it. */
export interface ShownLink {
  purpose: LinkPurpose;
  email: string;
  role: MemberRole | null;
  /** Whether the user repeats a password, and does not choose one. */
  has_password: boolean;
}

interface SignedInMember {
  member: MemberSession;
  /** Of the password. Billing gives it to the console alone, so it proves a browser. */
  salt: string;
}

export interface LinkUse {
  token: string;
  password: string;
  account_name?: string;
}

/** Signs people up and in. No answer and no time tells whether an address is known. */
@Injectable()
export class PeopleSignIn {
  private readonly knownBrowser: KnownBrowser;

  constructor(
    private readonly config: ConsoleConfig,
    private readonly limits: AttemptLimits,
    private readonly bus: CustomerBus,
    private readonly sessions: Sessions,
    private readonly portalKeys: PortalKeys,
  ) {
    this.knownBrowser = new KnownBrowser('kinora-known-customer', config.isSecure);
  }

  /** @throws ConsoleError sign_in_refused; ApiError rate_limited */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    { email, password }: { email: string; password: string },
  ): Promise<Session> {
    const known = await this.knownBrowser.find(request, () => this.findSalt(email));
    if (known === null) {
      this.limits.count(request.ip);
      this.limits.countEmail(email);
    } else this.limits.countOwn(`browser ${known}`);
    const { salt, member } = await this.limits.refuseEvenly(() => this.check(email, password), REFUSED);
    this.knownBrowser.remember(reply, salt);
    return this.enter(request, reply, member);
  }

  /** @throws ConsoleError sign_in_refused; ApiError capacity if the provider is away */
  async enterFromProvider(
    request: FastifyRequest,
    reply: FastifyReply,
    prove: () => Promise<SignInAtProviderRequest | null>,
  ): Promise<Session> {
    const member = await this.limits.refuseEvenly(async () => {
      const proven = await prove();
      return proven && nullWhereNotFound(this.bus.request(usersRpc.signInAtProvider, proven));
    }, PROVIDER_REFUSED);
    return this.enter(request, reply, member);
  }

  /** Sends a link to the address, if there is one to send. @throws ApiError not_found, rate_limited */
  async requestLink(request: FastifyRequest, link: RequestLinkRequest): Promise<void> {
    this.limits.count(request.ip);
    await this.limits.answerEvenly(() => this.bus.request(usersRpc.requestLink, link));
  }

  async showLink(request: FastifyRequest, token: string): Promise<ShownLink> {
    this.limits.count(request.ip, `link ${sha256(token)}`);
    const { salt, ...link } = await this.limits.refuseEvenly(() => this.find(token), LINK_REFUSED);
    return { ...link, has_password: salt !== null };
  }

  /** @throws ConsoleError sign_in_refused; ApiError invalid_body, rate_limited */
  async useLink(request: FastifyRequest, reply: FastifyReply, { token, ...use }: LinkUse): Promise<Session> {
    assertPassword(use.password);
    this.limits.count(request.ip, `link ${sha256(token)}`);
    const { salt, member } = await this.limits.refuseEvenly(() => this.take(token, use), LINK_REFUSED);
    this.knownBrowser.remember(reply, salt);
    return this.enter(request, reply, member);
  }

  /** An unknown address costs a derivation, too. */
  private async check(email: string, password: string): Promise<SignedInMember | null> {
    const salt = (await this.findSalt(email)) ?? newSalt(this.config.passwordCost);
    const { derived } = await derivePassword(password, salt);
    const member = await nullWhereNotFound(this.bus.request(usersRpc.signIn, { email, derived }));
    return member && { salt, member };
  }

  private async findSalt(email: string): Promise<string | null> {
    return (await this.bus.request(usersRpc.findSalt, { email })).salt;
  }

  private find(token: string) {
    return nullWhereNotFound(this.bus.request(usersRpc.showLink, { token_sha256: sha256(token) }));
  }

  private async take(token: string, { password, ...rest }: Omit<LinkUse, 'token'>): Promise<SignedInMember | null> {
    const link = await this.find(token);
    const derived = await derivePassword(password, link?.salt ?? newSalt(this.config.passwordCost));
    if (!link) return null;
    const use = { token_sha256: sha256(token), password: derived, ...rest };
    const member = await nullWhereNotFound(this.bus.request(usersRpc.useLink, use));
    return member && { salt: derived.salt, member };
  }

  /** Opens a session for a member whom billing has confirmed. */
  async enter(request: FastifyRequest, reply: FastifyReply, member: MemberSession): Promise<Session> {
    const { expires_at, user_id, email, role, ...key } = member;
    const customer: NewCustomer = {
      ...key,
      is_portal: true,
      member: { user_id, email, role },
      key_expires_at: new Date(expires_at),
    };
    const before = request.session;
    const session = await this.sessions.openForCustomer(request, reply, customer);
    // The session that the browser had before has ended with the new one.
    if (before) await this.portalKeys.revokeOf(before, before);
    return session;
  }
}

async function nullWhereNotFound<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}
