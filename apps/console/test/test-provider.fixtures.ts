import { createHash, randomBytes } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from './browser.fixtures';
import { type KeyLike, SignJWT, exportJWK, generateKeyPair } from 'jose';

export const CLIENT_ID = 'kinora-console';
export const CLIENT_SECRET = 'client-secret';

/** Who the provider says the user is. */
export interface ProviderUser {
  sub: string;
  email: string;
  email_verified?: boolean;
  groups: string[];
}

interface Grant {
  challenge: string;
  nonce: string;
  redirectUri: string;
  user: ProviderUser;
  mustAuthenticate: boolean;
}

/** A small OpenID Connect provider: discovery, authorization code flow with PKCE (S256), client_secret_basic, RS256, JWKS. */
export class TestProvider {
  user: ProviderUser = { sub: '1', email: 'ada@kinora.test', groups: ['admins'] };
  /** Changes the claims of the next ID tokens. */
  spoil: Record<string, unknown> = {};
  /** When the user last typed the password, in seconds before now. */
  authenticatedSecondsAgo = 0;
  lastTokenRequest: URLSearchParams | null = null;
  private readonly grants = new Map<string, Grant>();
  private server!: Server;
  private key!: KeyLike;
  private jwk!: object;

  static async start(): Promise<TestProvider> {
    const provider = new TestProvider();
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    provider.key = privateKey;
    provider.jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
    provider.server = createServer(
      (request, response) => void provider.serve(request, response).catch(() => response.destroy()),
    );
    await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The address at the console to which it sends the browser back. @param path where the console begins */
  async sendBack(browser: Browser, path: string): Promise<string> {
    const { headers, status } = await browser.get(path);
    expect(status).toBe(302);
    const back = await fetch(String(headers.location), { redirect: 'manual' });
    const { pathname, search } = new URL(back.headers.get('location') ?? '');
    return pathname + search;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return answer(response, 200, this.metadata());
      case '/jwks':
        return answer(response, 200, { keys: [this.jwk] });
      case '/authorize':
        return this.authorize(url.searchParams, response);
      case '/token':
        return this.exchange(request, response);
      default:
        return answer(response, 404, {});
    }
  }

  private metadata(): object {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    };
  }

  /** The user is signed in here, so the provider redirects back at once. */
  private authorize(query: URLSearchParams, response: ServerResponse): void {
    const isComplete = query.get('client_id') === CLIENT_ID && query.get('response_type') === 'code';
    const hasPkce = query.get('code_challenge_method') === 'S256' && query.has('code_challenge');
    if (!isComplete || !hasPkce || !query.get('scope')?.split(' ').includes('openid')) return answer(response, 400, {});
    const code = randomBytes(16).toString('hex');
    const redirectUri = query.get('redirect_uri') ?? '';
    this.grants.set(code, {
      challenge: query.get('code_challenge') ?? '',
      nonce: query.get('nonce') ?? '',
      redirectUri,
      user: this.user,
      mustAuthenticate: query.has('max_age'),
    });
    const location = new URL(redirectUri);
    location.searchParams.set('code', code);
    location.searchParams.set('state', query.get('state') ?? '');
    response.writeHead(302, { Location: location.href }).end();
  }

  private async exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const form = new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
    this.lastTokenRequest = form;
    const grant = this.grants.get(form.get('code') ?? '');
    // A code works once.
    this.grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const [, basic = ''] = (request.headers.authorization ?? '').split('Basic ');
    const client = decodeURIComponent(Buffer.from(basic, 'base64').toString('utf8'));
    const isGranted = grant?.challenge === challenge && grant.redirectUri === form.get('redirect_uri');
    if (!grant || !isGranted || client !== `${CLIENT_ID}:${CLIENT_SECRET}`)
      return answer(response, 400, { error: 'invalid_grant' });
    const id_token = await this.signIdToken(grant);
    answer(response, 200, { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token });
  }

  private signIdToken({ user, nonce, mustAuthenticate }: Grant): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const auth_time = mustAuthenticate ? { auth_time: now - this.authenticatedSecondsAgo } : {};
    const { sub, ...claims } = user;
    const spoilt = {
      iss: this.issuer,
      aud: CLIENT_ID,
      sub,
      iat: now,
      exp: now + 60,
      nonce,
      ...auth_time,
      ...claims,
      ...this.spoil,
    };
    return new SignJWT(spoilt).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(this.key);
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
