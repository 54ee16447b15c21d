import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { ConsoleConfig } from '../../console.config';
import { AttemptLimits } from '../../session/attempt-limits';
import { KnownBrowser } from '../../session/known-browser';
import { SessionRepository } from '../../session/session.repository';
import { type Session, Sessions } from '../../session/sessions';
import { AuditTrail } from '../audit/audit-trail';
import { setupTokenHash } from '../users/manage-operators';
import { OperatorUserRepository, type OperatorUserRow } from '../users/operator-user.repository';
import { assertPassword, hashPassword, isPassword } from '../../session/password';

/** How long actions that need the password run after it was repeated. */
export const CONFIRMED_FOR_MS = 5 * 60_000;
const REFUSED = 'The email or the password is not valid.';
const NOT_CONFIRMED = 'The password is not valid.';
const LINK_REFUSED = 'The setup link is not valid: it was used, has expired, or belongs to another email.';

/** An operator who has signed in. */
export interface SignedIn {
  session: Session;
  user: OperatorUserRow;
}

/** The sign-in of operators with a password, its repetition, and the first password. */
@Injectable()
export class OperatorSignIn {
  private readonly knownBrowser: KnownBrowser;

  constructor(
    private readonly config: ConsoleConfig,
    private readonly limits: AttemptLimits,
    private readonly users: OperatorUserRepository,
    private readonly sessions: Sessions,
    private readonly rows: SessionRepository,
    private readonly audit: AuditTrail,
  ) {
    this.knownBrowser = new KnownBrowser('kinora-known', config.isSecure);
  }

  /** Who is signed in; null for a session whose user is gone or disabled. */
  async show(session: Session | null): Promise<SignedIn | null> {
    const user = session?.user_id ? await this.users.find(session.user_id) : null;
    return session && user?.disabled_at === null ? { session, user } : null;
  }

  /** How operators can sign in. */
  async listWays(): Promise<{ needs_setup: boolean; has_oidc: boolean }> {
    return { needs_setup: !(await this.users.hasAny()), has_oidc: this.config.oidcIssuer !== '' };
  }

  /** @throws ConsoleError sign_in_refused; ApiError rate_limited */
  async open(request: FastifyRequest, reply: FastifyReply, given: Credentials): Promise<SignedIn> {
    const findStored = async () => (await this.users.findByEmail(given.email))?.password ?? null;
    const knownBrowser = await this.knownBrowser.find(request, findStored);
    if (knownBrowser === null) this.limits.count(request.ip);
    else this.limits.countOwn(`browser ${knownBrowser}`);
    const user = await this.limits.refuseEvenly(() => this.check(given), REFUSED);
    return this.openFor(request, reply, user, 'sign_in');
  }

  /** Repeats the password of the session's user. @throws ConsoleError sign_in_refused */
  async confirm(session: Session, password: string): Promise<SignedIn> {
    const user = session.user_id === null ? null : await this.users.find(session.user_id);
    this.limits.countOwn(`session ${session.id.toString('hex')}`);
    const confirmed = await this.limits.refuseEvenly(
      () => this.check({ email: user?.email ?? '', password }),
      NOT_CONFIRMED,
    );
    const confirmed_until = new Date(Date.now() + CONFIRMED_FOR_MS);
    await this.rows.confirm(session.id, confirmed_until);
    return { session: { ...session, confirmed_until }, user: confirmed };
  }

  /** Sets the first password by a setup link. @throws ConsoleError sign_in_refused; ApiError invalid_body */
  async setUp(request: FastifyRequest, reply: FastifyReply, given: Credentials & { token: string }): Promise<SignedIn> {
    assertPassword(given.password);
    // By the token: one caller could otherwise use up the setups of all others.
    this.limits.count(request.ip, `setup ${setupTokenHash(given.token).toString('hex')}`);
    const user = await this.limits.refuseEvenly(() => this.takeLink(given), LINK_REFUSED);
    return this.openFor(request, reply, user, 'set_up');
  }

  /** A session of a user whose identity is proven. */
  async openFor(
    request: FastifyRequest,
    reply: FastifyReply,
    user: OperatorUserRow,
    action: string,
  ): Promise<SignedIn> {
    const by = { id: user.id, email: user.email, request_id: request.id };
    const session = await this.audit.run(by, { action, target: user.id }, () =>
      this.sessions.openForOperator(request, reply, { user_id: user.id, confirmed_until: null }),
    );
    if (user.password !== null) this.knownBrowser.remember(reply, user.password);
    return { session, user };
  }

  private async check({ email, password }: Credentials): Promise<OperatorUserRow | null> {
    const user = await this.users.findByEmail(email);
    const isRight = await isPassword(password, user?.password ?? null, this.config.passwordCost);
    return isRight && user?.disabled_at === null ? user : null;
  }

  private async takeLink({ token, email, password }: Credentials & { token: string }): Promise<OperatorUserRow | null> {
    const hash = await hashPassword(password, this.config.passwordCost);
    if (this.isFirstToken(token)) {
      const id = uuidv7();
      const first = { id, email, role: 'owner', password: hash, subject: null, created_by: null } as const;
      return (await this.users.insertFirst(first)) ? this.users.find(id) : null;
    }
    const invited = await this.users.findByEmail(email);
    if (!invited || invited.disabled_at !== null) return null;
    const isSet = await this.users.setFirstPassword(setupTokenHash(token), invited.id, hash);
    return isSet ? this.users.find(invited.id) : null;
  }

  /** The token of the first start works while there is no operator. */
  private isFirstToken(token: string): boolean {
    const { setupToken } = this.config;
    return setupToken !== '' && timingSafeEqual(setupTokenHash(token), setupTokenHash(setupToken));
  }
}

export interface Credentials {
  email: string;
  password: string;
}
