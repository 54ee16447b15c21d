import 'reflect-metadata';
import { runService } from '@kinora/service-kit';
import { WebhookDispatcherConfig } from './webhook-dispatcher.config';
import { WebhookDispatcherModule } from './webhook-dispatcher.module';

void runService({ name: 'webhook-dispatcher', config: WebhookDispatcherConfig, module: WebhookDispatcherModule });
