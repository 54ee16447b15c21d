import type { IncomingMessage } from 'node:http';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Logger, NestLogger, Readiness } from '@kinora/service-kit';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from './gateway.config';
import { REFERENCE_PATHS } from './reference/reference-files';
import { logAccess } from './http/access-log.hook';
import { AddressBuckets } from './http/address-buckets';
import { AdmissionHook } from './http/admission.hook';
import { BodyParser } from './http/body-parser';
import { runHandlerInCall } from './http/call.hook';
import { createHttpServer } from './http/http.server';
import { LargeBodyParser, type WorkerProgram } from './http/large-body-parser';
import { closeLingering } from './http/lingering-close';
import { rememberRoutes } from './http/known-routes';
import { trackRequestEnds } from './http/request-end';
import { meterRequests } from './http/request-meter';
import { policyOf } from './http/route-policy';
import { traceRequests } from './http/trace.hook';
import { UnusedConnections } from './http/unused-connections';

export interface GatewayParts {
  rootModule: DynamicModule;
  config: GatewayConfig;
  logger: Logger;
  largeBodyWorker: WorkerProgram;
}

/** The service before it listens: a request passes the door, then its body is read, then a handler of Nest runs. */
export async function createGateway(parts: GatewayParts): Promise<NestFastifyApplication> {
  // What is no request passes the door by, so that the server itself must see the buckets; it is not reached before the app is.
  const server = createHttpServer(parts.config, (address) => app.get(AddressBuckets).peek(address));
  const app = await NestFactory.create<NestFastifyApplication>(parts.rootModule, new FastifyAdapter(server), {
    bodyParser: false,
    logger: new NestLogger(parts.logger),
  });
  app.setGlobalPrefix('v1', { exclude: ['files/*path', 'callbacks/*path', ...REFERENCE_PATHS] });

  rememberRoutes(server);
  trackRequestEnds(server);
  traceRequests(server);
  logAccess(server, parts.logger);
  meterRequests(server);
  const admission = app.get(AdmissionHook);
  server.decorateRequest('admission', null);
  server.decorateRequest('callbackTarget', null);
  server.decorateRequest('bodyRoom', null);
  server.addHook('onRequest', (request, reply) => admission.onRequest(request, reply));

  const largeBodies = new LargeBodyParser(parts.largeBodyWorker, parts.logger);
  const bodies = new BodyParser(largeBodies, parts.config);
  server.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
    // Where the body is ignored, so is its type: Fastify would refuse one that it cannot parse.
    if (!policyOf(request).takesJson) delete request.headers['content-type'];
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
    // The client's next request belongs to another gateway, and must not meet this one as it hangs up.
    if (readiness.isStopping || !raw.complete) reply.header('Connection', 'close');
    // Otherwise the connection would wait for the rest of a body that nobody is going to read.
    if (!raw.complete) closeLingering(raw.socket);
    done();
  });
  const unused = new UnusedConnections(server.server);
  server.addHook('preClose', async () => unused.close());
  return app;
}
