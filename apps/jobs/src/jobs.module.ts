import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule } from '@kinora/database';
import { ObjectStoreModule } from '@kinora/object-store';
import { BackgroundModule } from './background/background.module';
import { DeletionController } from './deletion/deletion.controller';
import { DeletionModule } from './deletion/deletion.module';
import { EndingController } from './ending/ending.controller';
import { EndingModule } from './ending/ending.module';
import { IntakeController } from './intake/intake.controller';
import { IntakeModule } from './intake/intake.module';
import { JobsConfig } from './jobs.config';
import { migrations } from './migrations/migrations';
import { ExaminationController, OperatorController } from './operations/operations.controller';
import { OperationsModule } from './operations/operations.module';
import { CallbacksController } from './polling/callbacks.controller';
import { PollingModule } from './polling/polling.module';
import { ProgressModule } from './progress/progress.module';
import { EndedJobsController, OwnJobsController, ReadingController } from './reading/reading.controller';
import { ReadingModule } from './reading/reading.module';
import { ReceiptModule } from './receipt/receipt.module';

/** The features import the modules that they build on: job, attempt, routing, dispatch. */
const FEATURES = [
  IntakeModule,
  PollingModule,
  EndingModule,
  DeletionModule,
  ReadingModule,
  ProgressModule,
  OperationsModule,
];

/** Here and not in their features, because processes of both roles load these. */
const API_CONTROLLERS = [
  IntakeController,
  EndingController,
  DeletionController,
  CallbacksController,
  ReadingController,
  EndedJobsController,
  OwnJobsController,
  OperatorController,
  ExaminationController,
];

@Module({
  imports: [
    DatabaseModule.forContext('jobs', migrations),
    ObjectStoreModule.forConfig(JobsConfig, {
      store: (config) => config.objectStore,
      signing: (config) => ({ publicUrl: config.publicUrl, signingKey: config.urlSigningKey }),
    }),
    ...FEATURES,
  ],
})
export class JobsModule {
  /** A process has the role api, runner, or both. */
  static forConfig(config: JobsConfig): DynamicModule {
    return {
      module: JobsModule,
      imports: [...(config.has('api') ? [ReceiptModule] : []), ...(config.has('runner') ? [BackgroundModule] : [])],
      controllers: config.has('api') ? API_CONTROLLERS : [],
    };
  }
}
