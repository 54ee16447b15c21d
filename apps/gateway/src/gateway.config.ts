import { IsInt, IsNotEmpty, IsString, IsUrl, Matches, Max, Min, MinLength } from 'class-validator';
import { IsEgressAllow } from '@kinora/egress';
import { ObjectStoreConfig } from '@kinora/object-store';
import { ServiceConfig, Setting, SettingGroup } from '@kinora/service-kit';
import { BODY_MAX_BYTES } from './body-limits';

export const LARGEST_BODY_BYTES = Math.max(...Object.values(BODY_MAX_BYTES));

/** Of a process. */
export const CONNECTIONS_MAX = 2_000;

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
    description: 'Signs download URLs; the same at jobs. At least 32 characters.',
    secret: true,
  })
  @IsString()
  @MinLength(32)
  urlSigningKey!: string;

  @Setting({
    env: 'KINORA_URL_SIGNING_KEY_ACCEPTED',
    description:
      'A second key whose links are honoured, and which signs nothing: the next one before a rotation, the previous one after it. Empty means none.',
    secret: true,
  })
  @Matches(/^(|[^]{32,})$/, { message: 'must be empty or at least 32 characters' })
  urlSigningKeyAccepted = '';

  @SettingGroup(ObjectStoreConfig)
  objectStore = new ObjectStoreConfig();

  @Setting({
    env: 'KINORA_EGRESS_ALLOW',
    description: 'Comma list of host:port or CIDR that clients may name although private; for development only.',
  })
  @IsEgressAllow()
  egressAllow = '';

  @Setting({
    env: 'KINORA_TRUSTED_PROXIES',
    description:
      'Comma list of addresses or CIDRs of proxies whose X-Forwarded-For tells the client; empty trusts none.',
  })
  @IsString()
  trustedProxies = '';

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
      'Seconds that a gateway which was told to stop goes on taking requests, so that load balancers see first that it is no longer ready.',
  })
  @IsInt()
  @Min(0)
  @Max(600)
  stopDelaySeconds = 0;

  @Setting({
    env: 'KINORA_BODIES_MAX_BYTES',
    description:
      'Bytes of request bodies that a process holds at once: an eighth for bodies up to 128 KiB, a sixteenth for callbacks, the rest for larger ones; one account at most half of each. What comes beyond is answered 503.',
  })
  @IsInt()
  @Min(LARGEST_BODY_BYTES)
  bodiesMaxBytes = 256 * 1024 * 1024;

  @Setting({
    env: 'KINORA_BODY_MIN_BYTES_PER_SECOND',
    description:
      'Bytes a second that the sender of a body must average once KINORA_BODY_GRACE_SECONDS are over, or it is cut off with 400; 0 sets no bound.',
  })
  @IsInt()
  @Min(0)
  bodyMinBytesPerSecond = 16 * 1024;

  @Setting({
    env: 'KINORA_BODY_GRACE_SECONDS',
    description: 'Seconds that a body may take to arrive however slowly it does.',
  })
  @IsInt()
  @Min(0)
  @Max(60)
  bodyGraceSeconds = 5;

  @Setting({
    env: 'KINORA_ADDRESS_CONNECTIONS_MAX',
    description:
      'Connections that a client address may have open to a process, which takes 2000 in all; an IPv6 address stands for its /64. Proxies that are trusted have no such bound.',
  })
  @IsInt()
  @Min(1)
  @Max(CONNECTIONS_MAX)
  addressConnectionsMax = 1_000;
}
