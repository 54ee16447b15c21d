import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseServiceConfig, Readiness } from '@kinora/service-kit';
import { DataSource } from 'typeorm';
import { connect } from './connect';
import { Database } from './database';
import { statement } from './statement';

const PROBE = statement('readiness_probe', 'SELECT 1');

/** Gives every provider of a service its context's database, and closes it after everything else has stopped. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    database: Database,
    readiness: Readiness,
  ) {
    readiness.add('database', async () => void (await database.query(PROBE)));
  }

  static forContext(name: string): DynamicModule {
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
      ],
      exports: [Database],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dataSource.destroy();
  }
}
