import 'reflect-metadata';
import { join } from 'node:path';
import { loadDecoder } from '@kinora/images';
import { HealthServer, Readiness, markStarted, prepareService, stopOnSignals } from '@kinora/service-kit';
import { GatewayConfig } from './gateway.config';
import { GatewayModule } from './gateway.module';
import { createGateway } from './create-gateway';

void runGateway();

async function runGateway(): Promise<void> {
  const service = await prepareService({ name: 'gateway', config: GatewayConfig, module: GatewayModule });
  const app = await createGateway({
    ...service,
    largeBodyWorker: { file: join(__dirname, 'http/large-body.worker.js') },
  });
  // Loads these modules at start: the first request with an image or an image URL would otherwise block the event loop
  // while they load.
  loadDecoder();
  await import('undici');
  stopOnSignals(app, service, service.config.stopDelaySeconds * 1_000);
  await app.startAllMicroservices();
  await app.listen(service.config.port, service.config.host);
  app.get(Readiness).markServing();
  markStarted();
  service.logger.info({ address: await app.getUrl(), health_port: app.get(HealthServer).port }, 'service_started');
}
