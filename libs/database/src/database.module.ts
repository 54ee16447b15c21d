import { type DynamicModule, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DatabaseServiceConfig, LOGGER, type Logger, Readiness } from '@kinora/service-kit';
import { DataSource } from 'typeorm';
import { connect } from './connect';
import type { Migration } from './data-source';
import { Database } from './database';
import { SchemaVersion } from './schema-version';
import { GaugeSampler } from './gauge-sampler';
import { meterPool } from './pool-meter';
import { statement } from './statement';

const PROBE = statement('readiness_probe', 'SELECT 1');

/** Gives every provider of a service its context's database, and closes it after everything else has stopped. */
@Module({})
export class DatabaseModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    private readonly schema: SchemaVersion,
    database: Database,
    readiness: Readiness,
  ) {
    meterPool(dataSource);
    readiness.add('database', async () => void (await database.query(PROBE)));
    readiness.add('migrations', () => schema.assertReached());
  }

  /** @param migrations what the schema must have before the service begins to work. */
  static forContext(name: string, migrations: Migration[]): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [
        {
          provide: DataSource,
          useFactory: (config: DatabaseServiceConfig) =>
            connect({ url: config.databaseUrl, name, poolSize: config.databasePoolSize }),
          inject: [DatabaseServiceConfig],
        },
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

  async onApplicationShutdown(): Promise<void> {
    await this.dataSource.destroy();
  }
}
