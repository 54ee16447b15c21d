import { ApiError } from '@kinora/contracts/shared/errors';
import * as oidc from 'openid-client';
import { notFound } from '../http/console-error';

/** Discovery is repeated after this time, because providers change their endpoints and keys. */
const FRESH_MS = 60 * 60_000;
const TIMEOUT_SECONDS = 10;

export interface OpenIdSettings {
  /** Empty without a provider. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Where the provider sends the browser back. */
  callbackUrl: string;
}

/** What a sign-in at the provider must match when it comes back. */
export interface Expected {
  state: string;
  nonce: string;
  code_verifier: string;
  /** Whether the user must have typed the password again. */
  is_confirmation: boolean;
}

/** A client of an OpenID Connect provider: authorization code flow with PKCE, state and nonce. */
export class OpenIdClient {
  private discovered: { atMs: number; configuration: Promise<oidc.Configuration> } | null = null;

  constructor(private readonly settings: OpenIdSettings) {}

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
      redirect_uri: this.settings.callbackUrl,
      scope: 'openid email profile',
      state: expected.state,
      nonce: expected.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(expected.code_verifier),
      code_challenge_method: 'S256',
      ...(isConfirmation && { prompt: 'login', max_age: '0' }),
    });
    return { url: url.href, expected };
  }

  /** The claims of the ID token; null for an answer that proves nothing. @throws ApiError capacity if the provider is away */
  async finish(
    query: string,
    { state, nonce, code_verifier, is_confirmation }: Expected,
  ): Promise<oidc.IDToken | null> {
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
    return tokens?.claims() ?? null;
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

/** Everything that is no answer of the provider about this sign-in. */
function isOutage(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');
}
