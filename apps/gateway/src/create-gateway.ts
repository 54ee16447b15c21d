import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { BusServer, type NatsConnection, PassThroughRpcFilter } from '@kinora/bus';
import { NestLogger } from '@kinora/service-kit';
import { type HookParts, addHooks } from './gateway-hooks';
import { AddressBuckets } from './http/address-buckets';
import { createHttpServer } from './http/http.server';
import { JWKS_PATH } from './receipts/receipts.controller';
import { REFERENCE_PATHS } from './reference/reference.controller';

export interface GatewayParts extends Omit<HookParts, 'server' | 'app'> {
  rootModule: DynamicModule;
  connection: NatsConnection;
}

/** Builds the application; it does not listen to HTTP yet, and `startAllMicroservices` subscribes it to signals. */
export async function createGateway(parts: GatewayParts): Promise<NestFastifyApplication> {
  // Malformed requests never reach the admission hook, so the server itself reads the buckets. It does so only after
  // `app` is assigned.
  const server = createHttpServer(parts.config, (address) => app.get(AddressBuckets).peek(address));
  const app = await NestFactory.create<NestFastifyApplication>(parts.rootModule, new FastifyAdapter(server), {
    bodyParser: false,
    logger: new NestLogger(parts.logger),
  });
  app
    .connectMicroservice<MicroserviceOptions>({ strategy: new BusServer(parts.connection, 'gateway', parts.logger) })
    .useGlobalFilters(new PassThroughRpcFilter());
  const withoutPrefix = [
    'files/*path',
    'callbacks/*path',
    'stripe/*path',
    'openai/*path',
    JWKS_PATH,
    ...REFERENCE_PATHS,
  ];
  app.setGlobalPrefix('v1', { exclude: withoutPrefix });
  addHooks({ server, app, ...parts });
  return app;
}
