import type { IncomingMessage } from 'node:http';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { BusServer, type NatsConnection, PassThroughRpcFilter } from '@kinora/bus';
import { type Logger, NestLogger, Readiness } from '@kinora/service-kit';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from './gateway.config';
import { JWKS_PATH } from './receipts/receipts.controller';
import { REFERENCE_PATHS } from './reference/reference.controller';
import { logAccess, meterRequests, traceRequests } from './http/observation.hook';
import { AddressBuckets } from './http/address-buckets';
import { AdmissionHook } from './http/admission.hook';
import { BodyParser } from './http/body-parser';
import { runHandlerInCall } from './http/call.hook';
import { allowOrigins } from './http/cors';
import { createHttpServer } from './http/http.server';
import { LargeBodyParser, type WorkerProgram } from './http/large-body-parser';
import { closeAfterClient, LINGER_MS, UnusedConnections } from './http/closing-connections';
import { rememberRoutes } from './http/known-routes';
import { trackRequestEnds } from './http/request-end';
import { policyOf } from './http/route-policy';
import { recordRequests, RequestLog } from './request-log/request-log';

export interface GatewayParts {
  rootModule: DynamicModule;
  config: GatewayConfig;
  logger: Logger;
  connection: NatsConnection;
  largeBodyWorker: WorkerProgram;
}

/**
 * Builds the application; it does not listen to HTTP yet, and `startAllMicroservices` subscribes it to signals. A request first passes the admission hook, then its body is read, then a Nest
 * handler runs.
 */
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
  const withoutPrefix = ['files/*path', 'callbacks/*path', 'openai/*path', JWKS_PATH, ...REFERENCE_PATHS];
  app.setGlobalPrefix('v1', { exclude: withoutPrefix });

  rememberRoutes(server);
  trackRequestEnds(server);
  traceRequests(server);
  logAccess(server, parts.logger);
  meterRequests(server);
  recordRequests(server, app.get(RequestLog));
  allowOrigins(server, parts.config.corsOrigins);
  const admission = app.get(AdmissionHook);
  server.decorateRequest('admission', null);
  server.decorateRequest('keySha256', null);
  server.decorateRequest('callbackTarget', null);
  server.decorateRequest('bodyRoom', null);
  server.decorateRequest('reportsFailedJob', false);
  server.addHook('onRequest', (request, reply) => admission.onRequest(request, reply));

  const largeBodies = new LargeBodyParser(parts.largeBodyWorker, parts.logger);
  const bodies = new BodyParser(largeBodies, parts.config);
  server.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
    // A route that ignores the body must also ignore its type: Fastify refuses a content type that it cannot parse.
    const { takesJson, takesMultipart } = policyOf(request);
    if (!takesJson && !takesMultipart) delete request.headers['content-type'];
    done();
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    bodies.parse(request, payload),
  );
  server.addHook('onClose', () => largeBodies.close());

  server.addHook('preHandler', runHandlerInCall);
  const readiness = app.get(Readiness);
  server.addHook('onSend', ({ raw }, reply, _payload, done) => {
    // The client must open its next connection to another gateway: this process closes the current one soon.
    if (readiness.isStopping || !raw.complete) reply.header('Connection', 'close');
    // Without this line the connection stays open until the client has sent the rest of a body that no code reads.
    if (!raw.complete) closeAfterClient(raw.socket, LINGER_MS);
    done();
  });
  const unused = new UnusedConnections(server.server);
  server.addHook('preClose', async () => unused.close());
  return app;
}
