import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Database, DatabaseModule, GaugeSampler, OutboxModule, PartitionedTable } from '@kinora/database';
import { ObjectStoreModule } from '@kinora/object-store';
import { LOGGER, type Logger } from '@kinora/service-kit';
import { AppealEntity } from './appeal/appeal.entity';
import { AppealRepository } from './appeal/appeal.repository';
import { DecisionEntity } from './decision/decision.entity';
import { DecisionMonths } from './decision/decision-months';
import { DecisionLogRepository } from './decision/decision-log.repository';
import { DecisionRepository } from './decision/decision.repository';
import { buildEngines } from './gate/build-engines';
import { Canaries } from './background/canaries';
import { Engines } from './judging/engine';
import { Gate } from './gate/gate';
import { ImageDecoder } from './image/image-decoder';
import { ImageProcess } from './image/image-process';
import { StoredImages } from './image/stored-images';
import { HealthController, ModerationController } from './moderation.controller';
import { migrations } from './migrations/migrations';
import { ModerationConfig } from './moderation.config';
import { ReviewController } from './review.controller';
import { RecordedDecisionRepository } from './replay/recorded-decision.repository';
import { RehearsalAccountEntity, StrikeEntity } from './strike/strike.entity';
import { RehearsalAccountRepository, StrikeRepository } from './strike/strike.repository';
import { StrikeLedger } from './strike/strike-ledger';
import { AppealJob } from './use-cases/appeal-job.use-case';
import { DecideAppeal } from './use-cases/decide-appeal.use-case';
import { AllowRehearsal, LiftStrike } from './use-cases/lift-strike.use-case';
import { ListDecisions } from './use-cases/list-decisions.query';
import { ListStrikes } from './use-cases/list-strikes.query';
import { ReplayPolicy } from './use-cases/replay-policy.query';
import { ScreenInput } from './use-cases/screen-input.use-case';
import { ScreenOutput } from './use-cases/screen-output.use-case';
import { FingerprintPruner } from './background/fingerprint-pruner';
import { FingerprintEntity } from './fingerprint/fingerprint.entity';
import { FingerprintRepository } from './fingerprint/fingerprint.repository';
import { KnownOutputs } from './fingerprint/known-outputs';
import { Credentials } from './provenance/credentials';
import { ProvenanceController } from './provenance.controller';
import { ShowCompliance } from './use-cases/show-compliance.query';
import { CheckProvenance } from './use-cases/check-provenance.query';
import { StoredOutputs } from './video/stored-outputs';
import { VideoDecoder } from './video/video-decoder';

const GATE = [
  {
    provide: Engines,
    useFactory: (config: ModerationConfig) => buildEngines(config),
    inject: [ModerationConfig],
  },
  ImageProcess,
  ImageDecoder,
  Gate,
  Canaries,
];
const ENTITIES = [DecisionEntity, StrikeEntity, RehearsalAccountEntity, AppealEntity, FingerprintEntity];
const DECISIONS = {
  provide: PartitionedTable,
  useFactory: (config: ModerationConfig, database: Database, sampler: GaugeSampler, logger: Logger) =>
    new DecisionMonths(
      {
        name: 'decision',
        setting: 'KINORA_DECISION_RETENTION_DAYS',
        retentionDays: config.decisionRetentionDays,
        stays: 'Strikes and appeals, with the id of their decision. The receipt of a job no longer lists it.',
      },
      { database, sampler, logger },
    ),
  inject: [ModerationConfig, Database, GaugeSampler, LOGGER],
};
const STORAGE = [
  StoredImages,
  StoredOutputs,
  VideoDecoder,
  DecisionRepository,
  DecisionLogRepository,
  RecordedDecisionRepository,
  StrikeRepository,
  RehearsalAccountRepository,
  StrikeLedger,
  AppealRepository,
  FingerprintRepository,
  KnownOutputs,
  Credentials,
  FingerprintPruner,
  DECISIONS,
];
const USE_CASES = [
  ScreenInput,
  ScreenOutput,
  ListStrikes,
  LiftStrike,
  AllowRehearsal,
  ListDecisions,
  ReplayPolicy,
  AppealJob,
  DecideAppeal,
  CheckProvenance,
  ShowCompliance,
];

@Module({
  imports: [
    DatabaseModule.forContext('moderation', migrations),
    TypeOrmModule.forFeature(ENTITIES),
    OutboxModule,
    ObjectStoreModule.forConfig(ModerationConfig, { store: ({ objectStore }) => objectStore }),
  ],
  controllers: [ModerationController, ReviewController, ProvenanceController, HealthController],
  providers: [...GATE, ...STORAGE, ...USE_CASES],
})
export class ModerationModule {}
