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
import { statement } from './statement';

const PROBE = statement('readiness_probe', 'SELECT 1');

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
    readiness.add('database', async () => void (await database.query(PROBE)));
    readiness.add('migrations', () => schema.assertReached());
  }

  /** @param migrations that the schema must have before the service begins to work. */
  static forContext(name: string, migrations: Migration[]): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: ({ databaseUrl: url, databasePoolSize: poolSize }: DatabaseServiceConfig) => ({
            ...toDataSourceOptions({ url, name, poolSize }),
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
