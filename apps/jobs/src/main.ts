import 'reflect-metadata';
import { runService } from '@kinora/service-kit';
import { JobsConfig } from './jobs.config';
import { JobsModule } from './jobs.module';

void runService({ name: 'jobs', config: JobsConfig, module: JobsModule });
