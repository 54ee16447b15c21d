import 'reflect-metadata';
import { HealthServer, Readiness, markStarted, prepareService, stopOnSignals } from '@kinora/service-kit';
import { ConsoleConfig } from './console.config';
import { ConsoleModule } from './console.module';
import { createConsole } from './create-console';

void runConsole();

async function runConsole(): Promise<void> {
  const service = await prepareService({ name: 'console', config: ConsoleConfig, module: ConsoleModule });
  const app = await createConsole(service);
  stopOnSignals(app, service);
  await app.startAllMicroservices();
  await app.listen(service.config.port, service.config.host);
  app.get(Readiness).markServing();
  markStarted();
  service.logger.info({ address: await app.getUrl(), health_port: app.get(HealthServer).port }, 'service_started');
}
