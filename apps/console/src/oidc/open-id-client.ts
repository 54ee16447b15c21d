import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as oidc from 'openid-client';
import { notFound } from '../http/console-error';
import { cookieValues, setCookie } from '../session/session-secrets';

/** Discovery is repeated after this time, because providers change their endpoints and keys. */
const FRESH_MS = 60 * 60_000;
const TIMEOUT_SECONDS = 10;
/** A sign-in at the provider takes some minutes at most. */
const COOKIE_SECONDS = 600;

interface OpenIdSettings {
  /** Empty without a provider. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Where the provider sends the browser back. */
  callbackUrl: string;
  cookie: string;
  isSecure: boolean;
}

/** What a sign-in at the provider must match when it comes back. */
interface Expected {
  state: string;
  nonce: string;
  code_verifier: string;
  /** Whether the user must have typed the password again. */
  is_confirmation: boolean;
}

/** What the provider has confirmed. */
export interface Proof {
  claims: oidc.IDToken;
  /** Whether the user has typed the password again. */
  is_confirmation: boolean;
}

/**
 * A client of an OpenID Connect provider: authorization code flow with PKCE, state and nonce. What the browser must bring back
 * stands in a cookie of its own, so that no other browser can finish the sign-in.
 */
export class OpenIdClient {
  private discovered: { atMs: number; configuration: Promise<oidc.Configuration> } | null = null;

  private readonly cookie: string;

  constructor(private readonly settings: OpenIdSettings) {
    this.cookie = settings.isSecure ? `__Host-${settings.cookie}` : settings.cookie;
  }

  /** The address at the provider to which the browser goes. */
  async begin(reply: FastifyReply, isConfirmation = false): Promise<string> {
    const configuration = await this.discover();
    const expected: Expected = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      code_verifier: oidc.randomPKCECodeVerifier(),
      is_confirmation: isConfirmation,
    };
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.settings.callbackUrl,
      scope: 'openid email profile',
      state: expected.state,
      nonce: expected.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(expected.code_verifier),
      code_challenge_method: 'S256',
      ...(isConfirmation && { prompt: 'login', max_age: '0' }),
    });
    this.expect(reply, expected);
    return url.href;
  }

  /** Null for an answer that proves nothing. @throws ApiError capacity if the provider is away */
  async finish({ headers, url }: FastifyRequest, reply: FastifyReply): Promise<Proof | null> {
    const [cookie = ''] = cookieValues(headers.cookie, this.cookie);
    this.expect(reply, null);
    const expected = parse(cookie);
    if (!expected) return null;
    const { state, nonce, code_verifier, is_confirmation } = expected;
    const [, query = ''] = url.split('?', 2);
    const configuration = await this.discover();
    const tokens = await oidc
      .authorizationCodeGrant(configuration, new URL(`${this.settings.callbackUrl}?${query}`), {
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
    return claims ? { claims, is_confirmation } : null;
  }

  private expect(reply: FastifyReply, expected: Expected | null): void {
    const value = expected && Buffer.from(JSON.stringify(expected)).toString('base64url');
    const options = { isSecure: this.settings.isSecure, maxAgeSeconds: value === null ? 0 : COOKIE_SECONDS };
    void reply.header('Set-Cookie', setCookie(this.cookie, value, options));
  }

  private discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    if (issuer === '') throw notFound();
    if (this.discovered && performance.now() - this.discovered.atMs < FRESH_MS) return this.discovered.configuration;
    const url = new URL(issuer);
    const configuration = oidc
      .discovery(url, clientId, undefined, oidc.ClientSecretBasic(clientSecret), {
        timeout: TIMEOUT_SECONDS,
        // Only an issuer that the operator has configured without TLS, as in tests.
        execute: url.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
      })
      .catch(() => {
        this.discovered = null;
        throw ApiError.unavailable('The identity provider');
      });
    this.discovered = { atMs: performance.now(), configuration };
    return configuration;
  }
}

function parse(cookie: string): Expected | null {
  try {
    const expected = JSON.parse(Buffer.from(cookie, 'base64url').toString('utf8')) as Partial<Expected> | null;
    const { state, nonce, code_verifier, is_confirmation = false } = expected ?? {};
    return state && nonce && code_verifier ? { state, nonce, code_verifier, is_confirmation } : null;
  } catch {
    return null;
  }
}

/** Everything that is no answer of the provider about this sign-in. */
function isOutage(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');
}
