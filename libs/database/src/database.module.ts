import { type DynamicModule, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm';
import { withinMs } from '@kinora/bus';
import { DatabaseServiceConfig, InjectLogger, LOGGER, type Logger, Readiness } from '@kinora/service-kit';
import { DataSource } from 'typeorm';
import { type ConnectionSettings, type Migration, toDataSourceOptions, toReplicaPool } from './data-source';
import { Database } from './database';
import { Replica } from './replica';
import { SchemaVersion } from './schema-version';
import { GaugeSampler } from './gauge-sampler';
import { meterPool, poolOf, spreadMaxAges } from './server-connections';
import { assertSessionUsable } from './session-settings';
import { statement } from './statement';
import { isConnectionLost } from './database-error';

/** Ready means writable: a standby would answer `SELECT 1`. */
const PROBE = statement('readiness_probe', "SELECT current_setting('transaction_read_only') = 'off' AS writable");

/**
 * Provides a context's database to every provider of a service. TypeOrmModule connects at boot, and closes the pool after
 * everything else has stopped. A context's module lists the entities of injected repositories in `TypeOrmModule.forFeature`.
 */
@Module({})
export class DatabaseModule implements OnModuleInit, OnApplicationShutdown {
  private replica: Replica | null = null;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    private readonly config: DatabaseServiceConfig,
    private readonly schema: SchemaVersion,
    private readonly database: Database,
    @InjectLogger() private readonly logger: Logger,
    readiness: Readiness,
  ) {
    meterPool(dataSource);
    spreadMaxAges(poolOf(dataSource));
    readiness.add('database', () => atOnce(() => assertWritable(database)));
    readiness.add('migrations', () => atOnce(() => schema.assertReached()));
  }

  /** @param migrations that the schema must have before the service begins to work. */
  static forContext(name: string, migrations: Migration[]): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: (config: DatabaseServiceConfig) => ({
            ...toDataSourceOptions({ ...connectionsOf(config), name }),
            ...connectRetry(),
            autoLoadEntities: true,
          }),
          inject: [DatabaseServiceConfig],
        }),
      ],
      providers: [
        {
          provide: Database,
          useFactory: (dataSource: DataSource, { databasePooler }: DatabaseServiceConfig) =>
            new Database(dataSource, { isPrepared: databasePooler !== 'transaction' }),
          inject: [DataSource, DatabaseServiceConfig],
        },
        {
          provide: SchemaVersion,
          useFactory: (database: Database, logger: Logger) => new SchemaVersion(database, migrations, logger),
          inject: [Database, LOGGER],
        },
        GaugeSampler,
      ],
      exports: [Database, GaugeSampler],
    };
  }

  async onModuleInit(): Promise<void> {
    const client = await poolOf(this.dataSource).connect();
    await assertSessionUsable(client, this.config.databasePooler).finally(() => client.release());
    await this.schema.reached();
    this.replica = this.connectReplica();
    if (this.replica) this.database.readFrom(this.replica);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.replica?.close();
  }

  private connectReplica(): Replica | null {
    const { databaseReplicaUrl: url, databaseReplicaMaxLagSeconds } = this.config;
    if (url === '') return null;
    return new Replica(poolOf(this.dataSource), {
      pool: toReplicaPool({ ...connectionsOf(this.config), url, name: 'replica' }),
      maxLagMs: databaseReplicaMaxLagSeconds * 1_000,
      onStateChange: (state, reason) => this.logger.warn({ state, reason }, 'replica_state_changed'),
    });
  }
}

function connectionsOf(config: DatabaseServiceConfig): Omit<ConnectionSettings, 'name'> {
  return {
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    pooler: config.databasePooler,
    maxAgeSeconds: config.databaseConnectionMaxAgeSeconds,
  };
}

/** As a call: behind the background work of a service that serves requests in time, the probe would have no answer in time. */
function atOnce(probe: () => Promise<void>): Promise<void> {
  return withinMs(Readiness.PROBE_TIMEOUT_MS, probe);
}

async function assertWritable(database: Database): Promise<void> {
  const row = await database.findOne<{ writable: boolean }>(PROBE);
  if (row?.writable !== true) throw new Error('the server is read-only');
}

/** For this time the service retries a server that starts together with it, or is too busy to accept connections. */
const CONNECT_WITHIN_MS = 15_000;
const RETRY_MS = 250;

/** Number of attempts that Nest makes to connect at boot. A refused login fails at once, because a retry would not succeed. */
export function connectRetry(): Pick<TypeOrmModuleOptions, 'retryAttempts' | 'retryDelay' | 'toRetry'> {
  const giveUpAtMs = performance.now() + CONNECT_WITHIN_MS;
  return {
    // Bounded by time and not by count: an attempt takes any time up to the connect timeout.
    retryAttempts: Number.POSITIVE_INFINITY,
    retryDelay: RETRY_MS,
    toRetry: (error) => isConnectionLost(error) && !isRefusedByPooler(error) && performance.now() <= giveUpAtMs,
  };
}

/** PgBouncer refuses settings that a client sends, and would again. */
function isRefusedByPooler(error: unknown): boolean {
  if (!(error instanceof Error) || !/unsupported startup parameter/.test(error.message)) return false;
  error.message +=
    ': DATABASE_URL leads to PgBouncer, so set DATABASE_POOLER to its pool_mode, session or transaction.';
  return true;
}
