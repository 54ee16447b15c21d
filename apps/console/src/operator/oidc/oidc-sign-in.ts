import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { ConsoleConfig } from '../../console.config';
import { AttemptLimits } from '../../session/attempt-limits';
import { SessionRepository } from '../../session/session.repository';
import { setCookie } from '../../session/session-secrets';
import { CONFIRMED_FOR_MS, OperatorSignIn } from '../sign-in/operator-sign-in';
import { type OperatorUserRow, OperatorUserRepository } from '../users/operator-user.repository';
import { type Expected, type Identity, IdentityProvider } from './identity-provider';

/** A sign-in at the provider takes some minutes at most. */
const COOKIE_SECONDS = 600;
const REFUSED = 'The identity provider has not confirmed an operator with a role.';

/** The sign-in of operators at the identity provider. */
@Injectable()
export class OidcSignIn {
  constructor(
    private readonly config: ConsoleConfig,
    private readonly provider: IdentityProvider,
    private readonly users: OperatorUserRepository,
    private readonly limits: AttemptLimits,
    private readonly signIn: OperatorSignIn,
    private readonly sessions: SessionRepository,
  ) {}

  /** What the browser must bring back stands in a cookie of its own, so that no other browser can finish the sign-in. */
  async begin(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    this.count(request);
    const isConfirmation = request.session !== null && (request.query as { confirm?: string }).confirm === '1';
    const { url, expected } = await this.provider.begin(isConfirmation);
    const value = Buffer.from(JSON.stringify(expected)).toString('base64url');
    this.setCookie(reply, value);
    return url;
  }

  /** @throws ConsoleError sign_in_refused */
  async finish(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.count(request);
    const expected = readExpected(request.headers.cookie, this.cookieName);
    this.setCookie(reply, null);
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

  private get cookieName(): string {
    return this.config.isSecure ? '__Host-kinora-oidc' : 'kinora-oidc';
  }

  private setCookie(reply: FastifyReply, value: string | null): void {
    const { isSecure } = this.config;
    const maxAgeSeconds = value === null ? 0 : COOKIE_SECONDS;
    void reply.header('Set-Cookie', setCookie(this.cookieName, value, { isSecure, maxAgeSeconds }));
  }
}

function readExpected(header: string | undefined, name: string): Expected | null {
  const [value] = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  try {
    const expected = JSON.parse(Buffer.from(value ?? '', 'base64url').toString('utf8')) as Partial<Expected> | null;
    const { state, nonce, code_verifier, is_confirmation = false } = expected ?? {};
    return state && nonce && code_verifier ? { state, nonce, code_verifier, is_confirmation } : null;
  } catch {
    return null;
  }
}
