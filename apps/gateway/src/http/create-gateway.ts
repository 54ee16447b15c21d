import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Logger, NestLogger } from '@kinora/service-kit';
import type { GatewayConfig } from '../gateway.config';
import { AdmissionHook } from './admission.hook';
import { runHandlerInCall } from './call.hook';
import { createHttpServer } from './http.server';
import { parseBody } from './parse-body';

/** The service before it listens: the door, then the body, then the handlers of Nest. */
export async function createGateway(
  rootModule: DynamicModule,
  config: GatewayConfig,
  logger: Logger,
): Promise<NestFastifyApplication> {
  const server = createHttpServer(config);
  const app = await NestFactory.create<NestFastifyApplication>(rootModule, new FastifyAdapter(server), {
    bodyParser: false,
    logger: new NestLogger(logger),
  });
  app.setGlobalPrefix('v1', { exclude: ['files/*path'] });
  const admission = app.get(AdmissionHook);
  server.decorateRequest('admission', null);
  server.addHook('onRequest', (request, reply) => admission.onRequest(request, reply));
  server.addHook('preParsing', async (request, reply) => {
    if (request.headers.expect !== undefined) reply.raw.writeContinue();
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', parseBody);
  server.addHook('preHandler', runHandlerInCall);
  return app;
}
