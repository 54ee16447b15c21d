import { Controller, Get, Header } from '@nestjs/common';
import type { PublicJwk } from '@kinora/signatures';
import { RoutePolicy } from '../http/route-policy';
import { PublishedKeys } from './published-keys';

/** Beside /v1, where JOSE libraries look for keys. */
export const JWKS_PATH = '.well-known/jwks.json';

/** The public keys of receipts as a JWK set (RFC 7517). */
@Controller()
export class JwksController {
  constructor(private readonly keys: PublishedKeys) {}

  // A verifier that caches longer would miss a withdrawn key. A new key is published long before it signs.
  @Get(JWKS_PATH)
  @RoutePolicy({ access: 'public' })
  @Header('Cache-Control', 'public, max-age=300')
  @Header('Access-Control-Allow-Origin', '*')
  @Header('X-Content-Type-Options', 'nosniff')
  async list(): Promise<{ keys: PublicJwk[] }> {
    return { keys: await this.keys.list() };
  }
}
