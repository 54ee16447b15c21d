import 'reflect-metadata';
import { runService } from '@kinora/service-kit';
import { ModerationConfig } from './moderation.config';
import { ModerationModule } from './moderation.module';

void runService({ name: 'moderation', config: ModerationConfig, module: ModerationModule });
