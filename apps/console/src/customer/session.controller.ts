import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { includesScope, KEY_SCOPES, type KeyScope } from '@kinora/contracts/billing/api-key-format';
import type { MemberRole } from '@kinora/contracts/billing/users.rpc';
import { ConsoleConfig } from '../console.config';
import { textField } from '../http/body-fields';
import { Access } from '../http/route-access';
import { CurrentExchange, CurrentSession, type Exchange } from '../session/session.hook';
import { type Session, Sessions } from '../session/sessions';
import { PortalKeys } from './key-rights';
import { type CustomerPermission, permissionsOf } from './members/permissions';
import { type OwnSession, OwnSessions } from './own-sessions';
import { OpenPortal, SignIn } from './sign-in.use-case';

/** The session of the browser that asks, or that it has none. */
export interface CustomerSession {
  kind: 'customer' | null;
  /** Goes into `X-CSRF-Token` of every request that changes something. */
  csrf_token: string | null;
  account_id: string | null;
  /** What the session may do: the scopes that its API key includes. */
  capabilities: KeyScope[];
  expires_at: string | null;
  /** Of the API, for the code that pages show. */
  api_base_url: string;
  /** What the pages may show and change. */
  permissions: CustomerPermission[];
  /** Who has signed in with a password; null for a key or a portal link. */
  member: { user_id: string; email: string; role: MemberRole } | null;
  /** Whether a visitor can make an account, and whether users sign in by password. */
  sign_up: 'off' | 'invited' | 'open';
  /** Whether users can sign in at an identity provider. */
  has_oidc: boolean;
}

export function toCustomerSession(
  session: Session | null,
  { apiBaseUrl, signUp, customerOidcIssuer }: ConsoleConfig,
): CustomerSession {
  const service = { api_base_url: apiBaseUrl, sign_up: signUp, has_oidc: customerOidcIssuer !== '' };
  if (!session) return { ...service, ...NO_SESSION };
  const { csrf_token, account_id, scope, expires_at, member_id, member_role, member_email } = session;
  const isMember = member_id !== null && member_role !== null && member_email !== null;
  return {
    kind: 'customer',
    csrf_token,
    account_id,
    capabilities: KEY_SCOPES.filter((each) => scope !== null && includesScope(scope, each)),
    expires_at: expires_at.toISOString(),
    permissions: permissionsOf(session),
    member: isMember ? { user_id: member_id, email: member_email, role: member_role } : null,
    ...service,
  };
}

const NO_SESSION = {
  kind: null,
  csrf_token: null,
  account_id: null,
  capabilities: [],
  expires_at: null,
  permissions: [],
  member: null,
};

const SECRET_MAX_CHARS = 200;

/** Signs customers in and out. */
@Controller('admin/v1/session')
export class SessionController {
  constructor(
    private readonly config: ConsoleConfig,
    private readonly signIn: SignIn,
    private readonly openPortalUseCase: OpenPortal,
    private readonly sessions: Sessions,
    private readonly portalKeys: PortalKeys,
  ) {}

  @Get()
  @Access({ session: 'open' })
  show(@Req() { session }: FastifyRequest): CustomerSession {
    return this.view(session);
  }

  @Post()
  @HttpCode(200)
  @Access({ session: 'open' })
  async open(@CurrentExchange() { request, reply }: Exchange, @Body() body: unknown): Promise<CustomerSession> {
    const apiKey = textField(body, 'api_key', SECRET_MAX_CHARS).trim();
    return this.replace(request, await this.signIn.execute(request, reply, apiKey));
  }

  @Post('portal')
  @HttpCode(200)
  @Access({ session: 'open' })
  async openPortal(@CurrentExchange() { request, reply }: Exchange, @Body() body: unknown): Promise<CustomerSession> {
    const token = textField(body, 'token', SECRET_MAX_CHARS);
    return this.replace(request, await this.openPortalUseCase.execute(request, reply, token));
  }

  /** A portal link has made the key of its session, so that key ends with it. */
  @Delete()
  async end(@CurrentSession() session: Session, @CurrentExchange() { reply }: Exchange): Promise<CustomerSession> {
    await this.sessions.end(session, reply);
    await this.portalKeys.revokeOf(session, session);
    return this.view(null);
  }

  /** The session that the browser had before has ended with the new one. */
  private async replace({ session: before }: FastifyRequest, session: Session): Promise<CustomerSession> {
    if (before) await this.portalKeys.revokeOf(before, before);
    return this.view(session);
  }

  private view(session: Session | null): CustomerSession {
    return toCustomerSession(session, this.config);
  }
}

/** Shows a customer where the account is signed in, and ends what should not be. */
@Controller('admin/v1/sessions')
export class OwnSessionsController {
  constructor(private readonly sessions: OwnSessions) {}

  @Get()
  list(@CurrentSession() session: Session): Promise<{ data: OwnSession[] }> {
    return this.sessions.list(session);
  }

  @Delete(':id')
  async end(@CurrentSession() session: Session, @Param('id') id: string): Promise<{ id: string; ended: true }> {
    await this.sessions.end(session, id);
    return { id, ended: true };
  }
}
