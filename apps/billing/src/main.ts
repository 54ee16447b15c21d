import 'reflect-metadata';
import { runService } from '@kinora/service-kit';
import { BillingConfig } from './billing.config';
import { BillingModule } from './billing.module';

void runService({ name: 'billing', config: BillingConfig, module: BillingModule });
