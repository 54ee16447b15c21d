import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import * as oidc from 'openid-client';
import { ConsoleConfig } from '../../console.config';
import { notFound } from '../../http/console-error';
import { ROLES, type Role } from '../users/permissions';

/** Discovery is repeated after this time, because providers change their endpoints and keys. */
const FRESH_MS = 60 * 60_000;
const TIMEOUT_SECONDS = 10;
const OIDC_CALLBACK = '/admin/v1/operator/oidc/callback';

/** What a sign-in at the provider must match when it comes back. */
export interface Expected {
  state: string;
  nonce: string;
  code_verifier: string;
  /** Whether the user must have typed the password again. */
  is_confirmation: boolean;
}

/** Who the provider says the user is. */
export interface Identity {
  /** Issuer and subject, which never change. */
  subject: string;
  email: string;
  role: Role;
}

/** The OpenID Connect provider of operators: authorization code flow with PKCE, state and nonce. */
@Injectable()
export class IdentityProvider {
  private discovered: { atMs: number; configuration: Promise<oidc.Configuration> } | null = null;

  constructor(private readonly config: ConsoleConfig) {}

  /** The address at the provider to which the browser goes. */
  async begin(isConfirmation: boolean): Promise<{ url: string; expected: Expected }> {
    const configuration = await this.discover();
    const expected: Expected = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      code_verifier: oidc.randomPKCECodeVerifier(),
      is_confirmation: isConfirmation,
    };
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.callbackUrl,
      scope: 'openid email profile',
      state: expected.state,
      nonce: expected.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(expected.code_verifier),
      code_challenge_method: 'S256',
      ...(isConfirmation && { prompt: 'login', max_age: '0' }),
    });
    return { url: url.href, expected };
  }

  /** Null for an answer that proves no identity with a role. @throws ApiError capacity if the provider is away */
  async finish(query: string, { state, nonce, code_verifier, is_confirmation }: Expected): Promise<Identity | null> {
    const configuration = await this.discover();
    const tokens = await oidc
      .authorizationCodeGrant(configuration, new URL(`${this.callbackUrl}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: code_verifier,
        idTokenExpected: true,
        ...(is_confirmation && { maxAge: 60 }),
      })
      .catch((error: unknown) => {
        if (isOutage(error)) throw ApiError.unavailable('The identity provider');
        return null;
      });
    const claims = tokens?.claims();
    return claims ? this.toIdentity(claims) : null;
  }

  private get callbackUrl(): string {
    return this.config.origin + OIDC_CALLBACK;
  }

  private toIdentity(claims: oidc.IDToken): Identity | null {
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

  private discover(): Promise<oidc.Configuration> {
    const { oidcIssuer, oidcClientId, oidcClientSecret } = this.config;
    if (oidcIssuer === '') throw notFound();
    if (this.discovered && performance.now() - this.discovered.atMs < FRESH_MS) return this.discovered.configuration;
    const issuer = new URL(oidcIssuer);
    const configuration = oidc
      .discovery(issuer, oidcClientId, undefined, oidc.ClientSecretBasic(oidcClientSecret), {
        timeout: TIMEOUT_SECONDS,
        // Only an issuer that the operator has configured without TLS, as in tests.
        execute: issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
      })
      .catch(() => {
        this.discovered = null;
        throw ApiError.unavailable('The identity provider');
      });
    this.discovered = { atMs: performance.now(), configuration };
    return configuration;
  }
}

/** Everything that is no answer of the provider about this sign-in. */
function isOutage(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');
}
