import { IsIn, IsInt, IsNotEmpty, IsString, Max, Min, ValidateIf } from 'class-validator';
import { TracingConfig } from './tracing.config';
import { Setting, SettingGroup } from './setting.decorator';

const isGiven = (_: NatsTlsConfig, value: unknown): boolean => value !== '';
const hasClientCertificate = ({ certFile, keyFile }: NatsTlsConfig): boolean => `${certFile}${keyFile}` !== '';

/** TLS to the broker, under the names that NATS' own command reads. */
export class NatsTlsConfig {
  @Setting({
    env: 'NATS_CA',
    description: 'File with the authority of the NATS servers (PEM); empty takes those that the process trusts.',
  })
  @ValidateIf(isGiven)
  @IsString()
  caFile = '';

  @Setting({ env: 'NATS_CERT', description: 'File with the client certificate for NATS (PEM); empty means none.' })
  @ValidateIf(hasClientCertificate)
  @IsNotEmpty()
  certFile = '';

  @Setting({ env: 'NATS_KEY', description: 'File with the key of the client certificate for NATS (PEM).' })
  @ValidateIf(hasClientCertificate)
  @IsNotEmpty()
  keyFile = '';
}

/** Settings of every service. */
export class ServiceConfig {
  @Setting({
    env: 'NATS_URL',
    description:
      'Addresses of NATS servers, separated by commas; credentials may stand in them. tls:// connects by TLS only.',
    secret: true,
  })
  @IsString()
  @IsNotEmpty()
  natsUrl = 'nats://127.0.0.1:4222';

  @SettingGroup(NatsTlsConfig)
  natsTls = new NatsTlsConfig();

  @Setting({
    env: 'KINORA_NATS_STREAM_REPLICAS',
    description:
      'Servers that hold a copy of the event stream; 0 takes 3 where the broker is a cluster of at least three servers, and 1 otherwise.',
  })
  @IsIn([0, 1, 3, 5])
  natsStreamReplicas = 0;

  @Setting({ env: 'KINORA_HEALTH_HOST', description: 'Address that the probes and metrics listen on.' })
  @IsString()
  healthHost = '127.0.0.1';

  @Setting({ env: 'KINORA_HEALTH_PORT', description: 'Port of the probes and metrics; 0 takes any free one.' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  healthPort = 0;

  @Setting({ env: 'LOG_LEVEL', description: 'Least level that is logged: trace, debug, info, warn or error.' })
  @IsIn(['trace', 'debug', 'info', 'warn', 'error'])
  logLevel = 'info';

  @Setting({
    env: 'KINORA_DRAIN_SECONDS',
    description:
      'Seconds in which a stopping process may finish its work under way; then it exits. Must be less than the grace period before a kill.',
  })
  @IsInt()
  @Min(1)
  @Max(600)
  drainSeconds = 8;

  @Setting({
    env: 'KINORA_PROFILE',
    description: 'local for one machine, production elsewhere; production refuses every setting meant for development.',
  })
  @IsIn(['local', 'production'])
  profile: 'local' | 'production' = 'production';

  @SettingGroup(TracingConfig)
  tracing = new TracingConfig();
}

/** Additional settings of a context with a schema of its own. */
export class DatabaseServiceConfig extends ServiceConfig {
  @Setting({ env: 'DATABASE_URL', description: "PostgreSQL, as the context's own role.", secret: true })
  @IsString()
  @IsNotEmpty()
  databaseUrl!: string;

  @Setting({
    env: 'KINORA_DATABASE_REPLICA_URL',
    description:
      'A standby that answers lists, usage and statements, as the same role; empty reads them from DATABASE_URL.',
    secret: true,
  })
  @IsString()
  databaseReplicaUrl = '';

  @Setting({
    env: 'KINORA_DATABASE_REPLICA_MAX_LAG_SECONDS',
    description: 'Beyond this lag of the standby, its statements run at DATABASE_URL.',
  })
  @IsInt()
  @Min(1)
  @Max(300)
  databaseReplicaMaxLagSeconds = 5;

  @Setting({ env: 'DATABASE_POOL_SIZE', description: 'Connections that a process may hold.' })
  @IsInt()
  @Min(2)
  @Max(64)
  databasePoolSize = 8;

  @Setting({
    env: 'DATABASE_CONNECTION_MAX_AGE_SECONDS',
    description: 'Age at which a connection is replaced once it is idle; each one gets 70 to 100 % of it.',
  })
  @IsInt()
  @Min(1)
  @Max(86_400)
  databaseConnectionMaxAgeSeconds = 300;

  @Setting({
    env: 'DATABASE_POOLER',
    description:
      'The pool_mode of a pooler that DATABASE_URL leads to: session or transaction; none for PostgreSQL itself. With transaction, statements are not prepared.',
  })
  @IsIn(['none', 'session', 'transaction'])
  databasePooler: 'none' | 'session' | 'transaction' = 'none';
}
