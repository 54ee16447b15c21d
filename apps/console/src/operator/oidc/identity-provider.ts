import { Injectable } from '@nestjs/common';
import type { IDToken } from 'openid-client';
import { ConsoleConfig } from '../../console.config';
import { type Expected, OpenIdClient } from '../../oidc/open-id-client';
import { ROLES, type Role } from '../users/permissions';

const OIDC_CALLBACK = '/admin/v1/operator/oidc/callback';

/** Who the provider says the user is. */
export interface Identity {
  /** Issuer and subject, which never change. */
  subject: string;
  email: string;
  role: Role;
}

/** The OpenID Connect provider of operators. */
@Injectable()
export class IdentityProvider {
  private readonly client: OpenIdClient;

  constructor(private readonly config: ConsoleConfig) {
    const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, origin } = config;
    this.client = new OpenIdClient({ issuer, clientId, clientSecret, callbackUrl: origin + OIDC_CALLBACK });
  }

  begin(isConfirmation: boolean): Promise<{ url: string; expected: Expected }> {
    return this.client.begin(isConfirmation);
  }

  /** Null for an answer that proves no identity with a role. @throws ApiError capacity if the provider is away */
  async finish(query: string, expected: Expected): Promise<Identity | null> {
    const claims = await this.client.finish(query, expected);
    return claims && this.toIdentity(claims);
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
