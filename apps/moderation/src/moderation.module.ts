import { Module } from '@nestjs/common';
import { DatabaseModule } from '@kinora/database';
import { ObjectStoreModule } from '@kinora/object-store';
import { DecisionRepository } from './decision/decision.repository';
import { buildEngines } from './gate/build-engines';
import { Canaries } from './gate/canaries';
import { Engines } from './gate/engine';
import { Gate } from './gate/gate';
import { StoredImages } from './image/stored-images';
import { ModerationConfig } from './moderation.config';
import { ModerationController } from './moderation.controller';
import { StrikeRepository } from './strike/strike.repository';
import { ScreenInput } from './use-cases/screen-input/screen-input.use-case';
import { ScreenOutput } from './use-cases/screen-output/screen-output.use-case';
import { StoredOutputs } from './video/stored-outputs';

const GATE = [
  {
    provide: Engines,
    useFactory: (config: ModerationConfig) => buildEngines(config),
    inject: [ModerationConfig],
  },
  Gate,
  Canaries,
];
const STORAGE = [StoredImages, StoredOutputs, DecisionRepository, StrikeRepository];
const USE_CASES = [ScreenInput, ScreenOutput];

@Module({
  imports: [
    DatabaseModule.forContext('moderation'),
    ObjectStoreModule.forConfig(ModerationConfig, { store: ({ objectStore }) => objectStore }),
  ],
  controllers: [ModerationController],
  providers: [...GATE, ...STORAGE, ...USE_CASES],
})
export class ModerationModule {}
