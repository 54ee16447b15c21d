import {
  IsInt,
  IsNotEmpty,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateBy,
  type ValidationOptions,
} from 'class-validator';
import { parseUrl } from '@kinora/contracts/shared/texts';
import { IsEgressAllow } from '@kinora/egress';
import { ObjectStoreConfig } from '@kinora/object-store';
import { ServiceConfig, Setting, SettingGroup } from '@kinora/service-kit';
import { BODY_MAX_BYTES } from './body-limits';

/** Validates KINORA_CORS_ORIGINS: each entry is an origin as browsers send it. */
export function IsOriginList(options?: ValidationOptions): PropertyDecorator {
  const message =
    'must be a comma-separated list of origins such as https://app.example, without a path or a default port';
  const validate = (value: unknown): boolean => typeof value === 'string' && originsOf(value).every(isOrigin);
  return ValidateBy(
    { name: 'isOriginList', validator: { validate, defaultMessage: () => `$property ${message}` } },
    options,
  );
}

export function originsOf(list: string): string[] {
  return list === '' ? [] : list.split(',').map((entry) => entry.trim());
}

function isOrigin(entry: string): boolean {
  // A wildcard is part of a valid host name for the URL parser.
  return /^https?:\/\/[^*]+$/.test(entry) && parseUrl(entry)?.origin === entry;
}

export const LARGEST_BODY_BYTES = Math.max(...Object.values(BODY_MAX_BYTES));

/** The largest value of KINORA_CONNECTIONS_MAX: an idle connection costs about 10 KiB. */
const MOST_CONNECTIONS = 65_000;

export class GatewayConfig extends ServiceConfig {
  @Setting({ env: 'KINORA_HOST', description: 'Address that the public interface listens on.' })
  @IsString()
  @IsNotEmpty()
  host = '127.0.0.1';

  @Setting({ env: 'KINORA_PORT', description: 'Port of the public interface; 0 takes any free one.' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port = 8080;

  @Setting({ env: 'KINORA_PUBLIC_URL', description: 'Address under which clients reach the gateway, without /v1.' })
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  publicUrl!: string;

  @Setting({
    env: 'KINORA_URL_SIGNING_KEY',
    description: 'Key that signs download URLs; must equal the key of the jobs service. At least 32 characters.',
    secret: true,
  })
  @IsString()
  @MinLength(32)
  urlSigningKey!: string;

  @Setting({
    env: 'KINORA_URL_SIGNING_KEY_ACCEPTED',
    description:
      'A second key that verifies links and signs none: the next key before a rotation, the previous key after it. Empty means none.',
    secret: true,
  })
  @Matches(/^(|[^]{32,})$/, { message: 'must be empty or at least 32 characters' })
  urlSigningKeyAccepted = '';

  @Setting({
    env: 'KINORA_STRIPE_WEBHOOK_SECRET',
    description:
      'Signing secret of the webhook endpoint at Stripe, {KINORA_PUBLIC_URL}/stripe/webhooks; empty takes no webhooks.',
    secret: true,
  })
  @Matches(/^(whsec_\S+)?$/, { message: 'must be empty or begin with whsec_' })
  stripeWebhookSecret = '';

  @SettingGroup(ObjectStoreConfig)
  objectStore = new ObjectStoreConfig();

  @Setting({
    env: 'KINORA_EGRESS_ALLOW',
    description:
      'Comma-separated list of private host:port or CIDR that clients may name in URLs; for development only.',
  })
  @IsEgressAllow()
  egressAllow = '';

  @Setting({
    env: 'KINORA_TRUSTED_PROXIES',
    description:
      'Comma-separated list of addresses or CIDRs of proxies whose X-Forwarded-For is trusted; empty trusts none.',
  })
  @IsString()
  trustedProxies = '';

  @Setting({
    env: 'KINORA_CORS_ORIGINS',
    description:
      'Comma-separated list of origins, such as https://app.example, whose scripts may call the API from a browser with a key of their own; empty allows none.',
  })
  @IsOriginList()
  corsOrigins = '';

  @Setting({
    env: 'KINORA_ADDRESS_RATE_LIMIT_RPM',
    description: 'Requests per minute that a client address may make without a valid key.',
  })
  @IsInt()
  @Min(1)
  addressRateLimitRpm = 600;

  @Setting({
    env: 'KINORA_STOP_DELAY_SECONDS',
    description:
      'Seconds that a gateway still accepts requests after a stop signal, so that load balancers first see that it is not ready.',
  })
  @IsInt()
  @Min(0)
  @Max(600)
  stopDelaySeconds = 0;

  @Setting({
    env: 'KINORA_BODIES_MAX_BYTES',
    description:
      'Bytes of request bodies that a process holds at once. An eighth is for bodies up to 128 KiB, a sixteenth for callbacks, the rest for larger bodies. One account gets at most half of each share. A body that does not fit is answered 503. Files that strangers check have 64 MiB beside it.',
  })
  @IsInt()
  @Min(LARGEST_BODY_BYTES)
  bodiesMaxBytes = 256 * 1024 * 1024;

  @Setting({
    env: 'KINORA_BODY_MIN_BYTES_PER_SECOND',
    description:
      'Minimum average bytes per second of a request body after KINORA_BODY_GRACE_SECONDS. A slower body is answered 400; 0 sets no minimum.',
  })
  @IsInt()
  @Min(0)
  bodyMinBytesPerSecond = 16 * 1024;

  @Setting({
    env: 'KINORA_BODY_GRACE_SECONDS',
    description: 'Seconds during which KINORA_BODY_MIN_BYTES_PER_SECOND does not apply to a body.',
  })
  @IsInt()
  @Min(0)
  @Max(60)
  bodyGraceSeconds = 5;

  @Setting({
    env: 'KINORA_CONNECTIONS_MAX',
    description:
      'Open connections to one process. Each waiting request and each event stream holds one. The limit of open files must be higher.',
  })
  @IsInt()
  @Min(1)
  @Max(MOST_CONNECTIONS)
  connectionsMax = 16_000;

  @Setting({
    env: 'KINORA_KEY_WAITS_MAX',
    description:
      'Requests with Prefer: wait of one API key that one process holds. A request beyond is answered without waiting.',
  })
  @IsInt()
  @Min(1)
  @Max(MOST_CONNECTIONS)
  keyWaitsMax = 200;

  @Setting({
    env: 'KINORA_ACCOUNT_SHARE_PERCENT',
    description:
      'Percent of the event streams, and of the waiting requests, of one process that one account gets, counted over its keys.',
  })
  @IsInt()
  @Min(1)
  @Max(100)
  accountSharePercent = 25;

  @Setting({
    env: 'KINORA_OPENAI_WAIT_SECONDS',
    description:
      'Seconds that a request of the OpenAI-compatible API waits for its images; then it is answered 504 with the id of the job. Most clients give up after 300.',
  })
  @IsInt()
  @Min(1)
  @Max(3_600)
  openAiWaitSeconds = 280;

  @Setting({
    env: 'KINORA_KEY_STREAMS_MAX',
    description: 'Event streams of one API key that one process holds open. A request beyond is answered 429.',
  })
  @IsInt()
  @Min(1)
  @Max(MOST_CONNECTIONS)
  keyStreamsMax = 100;

  @Setting({
    env: 'KINORA_ADDRESS_CONNECTIONS_MAX',
    description:
      'Open connections per client address to one process; KINORA_CONNECTIONS_MAX bounds all of them. An IPv6 address counts as its /64. Trusted proxies have no such limit.',
  })
  @IsInt()
  @Min(1)
  @Max(MOST_CONNECTIONS)
  addressConnectionsMax = 1_000;
}
