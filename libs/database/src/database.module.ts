import { type DynamicModule, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseServiceConfig, LOGGER, type Logger, Readiness } from '@kinora/service-kit';
import { DataSource } from 'typeorm';
import { connectRetry } from './connect-retry';
import { type Migration, toDataSourceOptions } from './data-source';
import { Database } from './database';
import { SchemaVersion } from './schema-version';
import { GaugeSampler } from './gauge-sampler';
import { meterPool } from './pool-meter';
import { poolOf } from './pool-of';
import { spreadMaxAges } from './server-connections';
import { statement } from './statement';

/** Ready means writable: a standby would answer `SELECT 1`. */
const PROBE = statement('readiness_probe', "SELECT current_setting('transaction_read_only') = 'off' AS writable");

/**
 * Provides a context's database to every provider of a service. TypeOrmModule connects at boot, and closes the pool after
 * everything else has stopped. A context's module lists the entities of injected repositories in `TypeOrmModule.forFeature`.
 */
@Module({})
export class DatabaseModule implements OnModuleInit {
  constructor(
    @Inject(DataSource) dataSource: DataSource,
    private readonly schema: SchemaVersion,
    database: Database,
    readiness: Readiness,
  ) {
    meterPool(dataSource);
    spreadMaxAges(poolOf(dataSource));
    readiness.add('database', () => assertWritable(database));
    readiness.add('migrations', () => schema.assertReached());
  }

  /** @param migrations that the schema must have before the service begins to work. */
  static forContext(name: string, migrations: Migration[]): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: (config: DatabaseServiceConfig) => ({
            ...toDataSourceOptions({
              url: config.databaseUrl,
              name,
              poolSize: config.databasePoolSize,
              maxAgeSeconds: config.databaseConnectionMaxAgeSeconds,
            }),
            ...connectRetry(),
            autoLoadEntities: true,
          }),
          inject: [DatabaseServiceConfig],
        }),
      ],
      providers: [
        { provide: Database, useFactory: (dataSource: DataSource) => new Database(dataSource), inject: [DataSource] },
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
    await this.schema.reached();
  }
}

async function assertWritable(database: Database): Promise<void> {
  const row = await database.findOne<{ writable: boolean }>(PROBE);
  if (row?.writable !== true) throw new Error('the server is read-only');
}
