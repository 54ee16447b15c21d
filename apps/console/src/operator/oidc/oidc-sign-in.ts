import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { ConsoleConfig } from '../../console.config';
import { ExpectedCookie } from '../../oidc/expected-cookie';
import { AttemptLimits } from '../../session/attempt-limits';
import { SessionRepository } from '../../session/session.repository';
import { CONFIRMED_FOR_MS, OperatorSignIn } from '../sign-in/operator-sign-in';
import { type OperatorUserRow, OperatorUserRepository } from '../users/operator-user.repository';
import { type Identity, IdentityProvider } from './identity-provider';

const REFUSED = 'The identity provider has not confirmed an operator with a role.';

/** The sign-in of operators at the identity provider. */
@Injectable()
export class OidcSignIn {
  private readonly cookie: ExpectedCookie;

  constructor(
    config: ConsoleConfig,
    private readonly provider: IdentityProvider,
    private readonly users: OperatorUserRepository,
    private readonly limits: AttemptLimits,
    private readonly signIn: OperatorSignIn,
    private readonly sessions: SessionRepository,
  ) {
    this.cookie = new ExpectedCookie('kinora-oidc', config.isSecure);
  }

  async begin(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    this.count(request);
    const isConfirmation = request.session !== null && (request.query as { confirm?: string }).confirm === '1';
    const { url, expected } = await this.provider.begin(isConfirmation);
    this.cookie.set(reply, expected);
    return url;
  }

  /** @throws ConsoleError sign_in_refused */
  async finish(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.count(request);
    const expected = this.cookie.read(request);
    this.cookie.set(reply, null);
    const [, query = ''] = request.url.split('?', 2);
    const identity = await this.limits.refuseEvenly(
      async () => expected && this.provider.finish(query, expected),
      REFUSED,
    );
    const user = await this.limits.refuseEvenly(() => this.findOrCreate(identity), REFUSED);
    if (!expected?.is_confirmation) return void (await this.signIn.openFor(request, reply, user, 'sign_in_oidc'));
    const { session } = request;
    await this.limits.refuseEvenly(() => Promise.resolve(session?.user_id === user.id ? user : null), REFUSED);
    if (session) await this.sessions.confirm(session.id, new Date(Date.now() + CONFIRMED_FOR_MS));
  }

  private count({ ip, session }: FastifyRequest): void {
    if (session === null) this.limits.count(ip);
    else this.limits.countOwn(`session ${session.id.toString('hex')}`);
  }

  /** The role follows the groups at each sign-in. A local user with the same address is another user and is not taken over. */
  private async findOrCreate({ subject, email, role }: Identity): Promise<OperatorUserRow | null> {
    const known = await this.users.findBySubject(subject);
    if (known?.disabled_at) return null;
    if (known) await this.users.setRole(known.id, role, known.email);
    else {
      const created = { id: uuidv7(), email, role, password: null, subject, created_by: 'oidc' };
      if (!(await this.users.insert(created))) return null;
    }
    return this.users.findBySubject(subject);
  }
}
