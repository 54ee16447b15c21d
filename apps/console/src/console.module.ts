import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '@kinora/database';
import { SessionPruner } from './background/session-pruner';
import type { ConsoleConfig } from './console.config';
import { CustomerModule } from './customer/customer.module';
import { ErrorFilter } from './http/error.filter';
import { WebController, WebFiles } from './http/web.controller';
import { migrations } from './migrations/migrations';
import { OperatorModule } from './operator/operator.module';
import { SessionEntity } from './session/session.entity';
import { SessionModule } from './session/session.module';

const ENTITIES = [SessionEntity];

/** Each half is a module of its own, and a process that serves one half does not hold the other. */
@Module({})
export class ConsoleModule {
  static forConfig(config: ConsoleConfig): DynamicModule {
    return {
      module: ConsoleModule,
      imports: [
        DatabaseModule.forContext('console', migrations),
        TypeOrmModule.forFeature(ENTITIES),
        SessionModule,
        ...(config.servesCustomers ? [CustomerModule.forConfig(config)] : []),
        ...(config.servesOperators ? [OperatorModule] : []),
      ],
      controllers: [WebController],
      providers: [
        SessionPruner,
        { provide: WebFiles, useFactory: () => WebFiles.load(config.webFolder) },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
