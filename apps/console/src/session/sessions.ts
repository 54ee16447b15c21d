import { Injectable } from '@nestjs/common';
import type { MemberRole } from '@kinora/contracts/billing/users.rpc';
import type { KeyScope } from '@kinora/contracts/billing/api-key-format';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleConfig } from '../console.config';
import type { Half } from '../http/route-access';
import {
  cookieName,
  csrfTokenOf,
  isCsrfTokenOf,
  newCookieValue,
  readCookie,
  seal,
  sessionIdOf,
  setCookie,
  unseal,
} from './session-secrets';
import { type NewSession, SessionRepository, type SessionRow } from './session.repository';

const SESSION_MAX_MS = 12 * 60 * 60 * 1_000;
const USER_AGENT_MAX_CHARS = 200;

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of the half that the path belongs to; null where there is none. */
    session: Session | null;
  }
}

/** A session as the row and the cookie give it together. */
export interface Session extends Omit<SessionRow, 'credential'> {
  /** The API key of a customer; null for an operator. */
  credential: string | null;
  csrf_token: string;
}

/** The customer whose session begins. */
export interface NewCustomer {
  api_key: string;
  account_id: string;
  api_key_id: string;
  scope: KeyScope;
  is_portal: boolean;
  /** Who has signed in with a password; null for a key or a portal link. */
  member: { user_id: string; email: string; role: MemberRole } | null;
  /** The session never outlives its key; null for a key without an end. */
  key_expires_at: Date | null;
}

/** Opens, finds and ends sessions. The only code that reads or writes their cookies. */
@Injectable()
export class Sessions {
  constructor(
    private readonly config: ConsoleConfig,
    private readonly repository: SessionRepository,
  ) {}

  /** The session that the request's cookie opens; null without one. */
  async find(request: FastifyRequest, kind: Half): Promise<Session | null> {
    const cookie = readCookie(request.headers.cookie, this.nameOf(kind));
    const row = cookie && (await this.repository.find(sessionIdOf(cookie), kind));
    return cookie && row ? toSession(row, cookie) : null;
  }

  /** Whether the request carries the token of the session that its cookie names. */
  hasCsrfToken(request: FastifyRequest, kind: Half): boolean {
    const cookie = readCookie(request.headers.cookie, this.nameOf(kind));
    return cookie !== null && isCsrfTokenOf(cookie, request.headers['x-csrf-token']);
  }

  openForCustomer(request: FastifyRequest, reply: FastifyReply, customer: NewCustomer): Promise<Session> {
    const { api_key, key_expires_at, member, ...shown } = customer;
    const endsAtMs = Math.min(Date.now() + SESSION_MAX_MS, key_expires_at?.getTime() ?? Infinity);
    return this.open(request, reply, (cookie) => ({
      kind: 'customer',
      ...shown,
      key_prefix: api_key.slice(0, 12),
      member_id: member?.user_id ?? null,
      member_role: member?.role ?? null,
      member_email: member?.email ?? null,
      credential: seal(cookie, api_key),
      user_id: null,
      confirmed_until: null,
      expires_at: new Date(endsAtMs),
    }));
  }

  openForOperator(
    request: FastifyRequest,
    reply: FastifyReply,
    operator: { user_id: string; confirmed_until: Date | null },
  ): Promise<Session> {
    return this.open(request, reply, () => ({
      kind: 'operator',
      ...operator,
      ...NO_CUSTOMER,
      expires_at: new Date(Date.now() + SESSION_MAX_MS),
    }));
  }

  /** Deletes the row, so that a copy of the cookie is worthless, and the cookie. */
  async end(session: Session, reply: FastifyReply): Promise<void> {
    await this.repository.delete(session.id);
    void reply.header('Set-Cookie', setCookie(this.nameOf(session.kind), null, { isSecure: this.config.isSecure }));
  }

  /** A session that the browser had before ends: two accounts in one browser would be confused. */
  private async open(
    request: FastifyRequest,
    reply: FastifyReply,
    rowFor: (cookie: string) => Omit<NewSession, 'id' | 'address' | 'user_agent'>,
  ): Promise<Session> {
    const cookie = newCookieValue();
    const id = sessionIdOf(cookie);
    const origin = {
      address: request.ip,
      user_agent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX_CHARS),
    };
    const row: NewSession = { id, ...rowFor(cookie), ...origin };
    const before = readCookie(request.headers.cookie, this.nameOf(row.kind));
    await this.repository.insert(row);
    if (before) await this.repository.delete(sessionIdOf(before));
    const maxAgeSeconds = Math.max(0, Math.floor((row.expires_at.getTime() - Date.now()) / 1_000));
    const { isSecure } = this.config;
    void reply.header('Set-Cookie', setCookie(this.nameOf(row.kind), cookie, { isSecure, maxAgeSeconds }));
    return toSession({ ...row, created_at: new Date() }, cookie);
  }

  private nameOf(kind: Half): string {
    return cookieName(kind, this.config.isSecure);
  }
}

function toSession({ credential, ...row }: SessionRow, cookie: string): Session {
  return { ...row, credential: credential && unseal(cookie, credential), csrf_token: csrfTokenOf(cookie) };
}

const NO_CUSTOMER = {
  account_id: null,
  api_key_id: null,
  key_prefix: null,
  scope: null,
  is_portal: false,
  member_id: null,
  member_role: null,
  member_email: null,
  credential: null,
} as const;
