import { join } from 'node:path';
import { IsIn, IsInt, IsNotEmpty, IsString, IsUrl, Matches, Max, Min, ValidateIf } from 'class-validator';
import { DatabaseServiceConfig, Setting } from '@kinora/service-kit';

const URL_RULES = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

export const CONSOLE_ROLES = ['operator', 'customer', 'both'] as const;
export type ConsoleRole = (typeof CONSOLE_ROLES)[number];

export class ConsoleConfig extends DatabaseServiceConfig {
  @Setting({
    env: 'KINORA_CONSOLE_ROLE',
    description:
      'Which half of the console this process serves: customer, operator, or both. The operator half does not belong on a public address.',
  })
  @IsIn(CONSOLE_ROLES)
  role: ConsoleRole = 'both';

  @Setting({ env: 'KINORA_CONSOLE_HOST', description: 'Address that the console listens on.' })
  @IsString()
  @IsNotEmpty()
  host = '127.0.0.1';

  @Setting({ env: 'KINORA_CONSOLE_PORT', description: 'Port of the console; 0 takes any free one.' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port = 8081;

  @Setting({
    env: 'KINORA_CONSOLE_URL',
    description:
      'Address under which browsers reach the console, without a path. Requests that change something are accepted from its pages only. With https, cookies are sent over https only.',
  })
  @IsUrl(URL_RULES)
  publicUrl!: string;

  @Setting({
    env: 'KINORA_CONSOLE_PORTAL_URL',
    description:
      "Address of the customers' pages, without a path, where another process serves them: the operators' half makes links to it. Empty means KINORA_CONSOLE_URL.",
  })
  @ValidateIf(({ portalUrl }: ConsoleConfig) => portalUrl !== '')
  @IsUrl(URL_RULES)
  portalUrl = '';

  @Setting({
    env: 'KINORA_CONSOLE_GATEWAY_URL',
    description: 'Address under which the console reaches the gateway, without /v1.',
  })
  @IsUrl(URL_RULES)
  gatewayUrl!: string;

  @Setting({
    env: 'KINORA_PUBLIC_URL',
    description:
      'Public base URL of the API, without /v1, for the code that pages show; empty means KINORA_CONSOLE_GATEWAY_URL.',
  })
  @ValidateIf(({ apiUrl }: ConsoleConfig) => apiUrl !== '')
  @IsUrl(URL_RULES)
  apiUrl = '';

  @Setting({
    env: 'KINORA_CONSOLE_CUSTOMER_NATS_URL',
    description:
      'With the role both, the NATS servers with the credentials of the customer half; NATS_URL then has those of the operator half. Empty means NATS_URL.',
    secret: true,
  })
  @IsString()
  customerNatsUrl = '';

  @Setting({
    env: 'KINORA_CONSOLE_FILE_ORIGINS',
    description:
      'Comma-separated list of public=internal: where the console reads files whose links begin with a public origin that it cannot reach, such as http://127.0.0.1:9000=http://objects:9000. Empty means that it uses links as they are.',
  })
  @Matches(/^(|https?:[^=,]+=https?:[^=,]+(,https?:[^=,]+=https?:[^=,]+)*)$/, {
    message: 'must be a comma-separated list of public=internal origins',
  })
  fileOrigins = '';

  @Setting({
    env: 'KINORA_CONSOLE_TRUSTED_PROXIES',
    description:
      'Comma-separated list of addresses or CIDRs of proxies whose X-Forwarded-For is trusted; empty trusts none.',
  })
  @IsString()
  trustedProxies = '';

  @Setting({
    env: 'KINORA_CONSOLE_ADDRESS_CONNECTIONS_MAX',
    description:
      'Open connections per client address to one process, which has 4,000 at most. An IPv6 address counts as its /64. Trusted proxies have no such limit.',
  })
  @IsInt()
  @Min(1)
  @Max(4_000)
  addressConnectionsMax = 400;

  @Setting({
    env: 'KINORA_CONSOLE_SIGN_INS_RPM',
    description:
      'Sign-ins per minute from one client address, and with one API key; successful ones count too. A session and a browser in which the person has signed in before have a limit of their own of the same size.',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  signInsRpm = 20;

  @Setting({
    env: 'KINORA_SIGN_UP',
    description:
      'Whether the pages offer a sign-up, as billing has it: off, invited or open. With off they offer no password either.',
  })
  @IsIn(['off', 'invited', 'open'])
  signUp: 'off' | 'invited' | 'open' = 'off';

  @Setting({
    env: 'KINORA_CONSOLE_SETUP_TOKEN',
    description:
      'Token of the link that makes the first operator, {console}/operator/setup#token=…; it works while there is none. At least 32 characters; empty makes no link.',
    secret: true,
  })
  @IsString()
  @Matches(/^(\S{32,200})?$/)
  setupToken = '';

  @Setting({
    env: 'KINORA_CONSOLE_OIDC_ISSUER',
    description:
      'Issuer URL of the OpenID Connect provider at which operators sign in; empty for local operators only.',
  })
  @IsString()
  oidcIssuer = '';

  @Setting({ env: 'KINORA_CONSOLE_OIDC_CLIENT_ID', description: 'Client id of the console at that provider.' })
  @IsString()
  oidcClientId = '';

  @Setting({
    env: 'KINORA_CONSOLE_OIDC_CLIENT_SECRET',
    description: 'Client secret of the console at that provider.',
    secret: true,
  })
  @IsString()
  oidcClientSecret = '';

  @Setting({
    env: 'KINORA_CONSOLE_OIDC_ROLES',
    description:
      'Which group has which role, such as kinora-admins=owner,billing=finance; the first match counts. A user without a match cannot sign in.',
  })
  @Matches(/^(([^=,]+)=(owner|finance|support|viewer)(,|$))*$/)
  oidcRoles = '';

  @Setting({ env: 'KINORA_CONSOLE_OIDC_GROUPS_CLAIM', description: 'Claim of the ID token that lists the groups.' })
  @IsString()
  @IsNotEmpty()
  oidcGroupsClaim = 'groups';

  @Setting({
    env: 'KINORA_CONSOLE_CUSTOMER_OIDC_ISSUER',
    description:
      'Issuer URL of the OpenID Connect provider at which customers sign in; it must confirm addresses (email_verified). Empty for none.',
  })
  @IsString()
  customerOidcIssuer = '';

  @Setting({
    env: 'KINORA_CONSOLE_CUSTOMER_OIDC_CLIENT_ID',
    description: 'Client id of the console at the provider of customers.',
  })
  @IsString()
  customerOidcClientId = '';

  @Setting({
    env: 'KINORA_CONSOLE_CUSTOMER_OIDC_CLIENT_SECRET',
    description: 'Client secret of the console at the provider of customers.',
    secret: true,
  })
  @IsString()
  customerOidcClientSecret = '';

  @Setting({
    env: 'KINORA_CONSOLE_REPEAT_AMOUNTS_ABOVE_MICROS',
    description: 'An operator writes an amount above this one twice, in micro-USD, before it moves.',
  })
  @IsInt()
  @Min(0)
  repeatAmountsAboveMicros = 1_000_000_000;

  /** Not a setting: the folder of the built pages depends only on where this program lies. */
  webFolder = join(__dirname, '../web');

  /** Nor is the cost of a password: OWASP's parameters of scrypt with 32 MB, as hard as N = 2^17, r = 8, p = 1 with 128 MB. */
  passwordCost = { N: 2 ** 15, r: 8, p: 3 };

  get servesCustomers(): boolean {
    return this.role !== 'operator';
  }

  get servesOperators(): boolean {
    return this.role !== 'customer';
  }

  /** The origin of the console's pages, as browsers send it. */
  get origin(): string {
    return new URL(this.publicUrl).origin;
  }

  /** The origin of the customers' pages. */
  get portalOrigin(): string {
    return this.portalUrl === '' ? this.origin : new URL(this.portalUrl).origin;
  }

  /** The base URL of the API for customers. */
  get apiBaseUrl(): string {
    return `${(this.apiUrl === '' ? this.gatewayUrl : this.apiUrl).replace(/\/+$/, '')}/v1`;
  }

  get isSecure(): boolean {
    return this.origin.startsWith('https:');
  }
}
