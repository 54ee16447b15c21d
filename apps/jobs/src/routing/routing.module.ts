import { Module, type Provider } from '@nestjs/common';
import { ProviderCapacities, ProviderRegistry } from '@kinora/compute';
import { Egress, EgressAllowList } from '@kinora/egress';
import { LOGGER, type Logger } from '@kinora/service-kit';
import { JobsConfig } from '../jobs.config';
import { providerConcurrency } from '../jobs.metrics';
import { AttemptModule } from '../attempt/attempt.module';
import { JobRoutes } from './job-routes';
import { ProviderLoad } from './provider-load';
import { Router } from './router';

const egress: Provider = {
  provide: Egress,
  useFactory: ({ egressAllow }: JobsConfig) => new Egress({ allow: EgressAllowList.parse(egressAllow) }),
  inject: [JobsConfig],
};

const registry: Provider = {
  provide: ProviderRegistry,
  useFactory: (config: JobsConfig, ...services: [Egress, Logger]) => {
    const providers = new ProviderRegistry(config, ...services);
    for (const provider of providers.list())
      providerConcurrency.readBy({ provider: provider.id }, () => provider.concurrency);
    return providers;
  },
  inject: [JobsConfig, Egress, LOGGER],
};

const providers = [egress, registry, ProviderCapacities, ProviderLoad, Router, JobRoutes];

/** The compute instances, their load, and the choice of one for a job. */
@Module({
  imports: [AttemptModule],
  providers,
  exports: providers,
})
export class RoutingModule {}
