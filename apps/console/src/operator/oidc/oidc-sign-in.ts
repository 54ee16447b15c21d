import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IDToken } from 'openid-client';
import { v7 as uuidv7 } from 'uuid';
import { ConsoleConfig } from '../../console.config';
import { OpenIdClient } from '../../oidc/open-id-client';
import { AttemptLimits } from '../../session/attempt-limits';
import { SessionRepository } from '../../session/session.repository';
import { CONFIRMED_FOR_MS, OperatorSignIn } from '../sign-in/operator-sign-in';
import { type OperatorUserRow, OperatorUserRepository } from '../users/operator-user.repository';
import { ROLES, type Role } from '../users/permissions';

const CALLBACK = '/admin/v1/operator/oidc/callback';
const REFUSED = 'The identity provider has not confirmed an operator with a role.';

/** Who the provider says the user is. */
interface Identity {
  /** Issuer and subject, which never change. */
  subject: string;
  email: string;
  role: Role;
}

/** The sign-in of operators at the identity provider. */
@Injectable()
export class OidcSignIn {
  private readonly provider: OpenIdClient;

  constructor(
    private readonly config: ConsoleConfig,
    private readonly users: OperatorUserRepository,
    private readonly limits: AttemptLimits,
    private readonly signIn: OperatorSignIn,
    private readonly sessions: SessionRepository,
  ) {
    const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, origin, isSecure } = config;
    const own = { callbackUrl: origin + CALLBACK, cookie: 'kinora-oidc', isSecure };
    this.provider = new OpenIdClient({ issuer, clientId, clientSecret, ...own });
  }

  async begin(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    this.count(request);
    const isConfirmation = request.session !== null && (request.query as { confirm?: string }).confirm === '1';
    return this.provider.begin(reply, isConfirmation);
  }

  /** @throws ConsoleError sign_in_refused */
  async finish(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.count(request);
    const { claims, is_confirmation } = await this.limits.refuseEvenly(
      () => this.provider.finish(request, reply),
      REFUSED,
    );
    const user = await this.limits.refuseEvenly(() => this.findOrCreate(claims), REFUSED);
    if (!is_confirmation) return void (await this.signIn.openFor(request, reply, user, 'sign_in_oidc'));
    const { session } = request;
    await this.limits.refuseEvenly(() => Promise.resolve(session?.user_id === user.id ? user : null), REFUSED);
    if (session) await this.sessions.confirm(session.id, new Date(Date.now() + CONFIRMED_FOR_MS));
  }

  private count({ ip, session }: FastifyRequest): void {
    if (session === null) this.limits.count(ip);
    else this.limits.countOwn(`session ${session.id.toString('hex')}`);
  }

  /** The role follows the groups at each sign-in. A local user with the same address is another user and is not taken over. */
  private async findOrCreate(claims: IDToken): Promise<OperatorUserRow | null> {
    const identity = this.toIdentity(claims);
    if (!identity) return null;
    const { subject, email, role } = identity;
    const known = await this.users.findBySubject(subject);
    if (known?.disabled_at) return null;
    if (known) await this.users.setRole(known.id, role, known.email);
    else {
      const created = { id: uuidv7(), email, role, password: null, subject, created_by: 'oidc' };
      if (!(await this.users.insert(created))) return null;
    }
    return this.users.findBySubject(subject);
  }

  private toIdentity(claims: IDToken): Identity | null {
    const { iss, sub, email, email_verified } = claims;
    const role = this.roleOf(claims[this.config.oidcGroupsClaim]);
    if (role === null || typeof email !== 'string' || email_verified === false) return null;
    return { subject: `${iss} ${sub}`, email: email.toLowerCase(), role };
  }

  private roleOf(claim: unknown): Role | null {
    const groups = new Set(Array.isArray(claim) ? claim : [claim]);
    const pairs = this.config.oidcRoles.split(',').map((pair) => pair.split('=', 2));
    const [, role] = pairs.find(([group]) => groups.has(group)) ?? [];
    return ROLES.find((known) => known === role) ?? null;
  }
}
