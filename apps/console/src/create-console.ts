import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { BusServer, type NatsConnection, deadlineIn, runInCall } from '@kinora/bus';
import { type Logger, NestLogger, exitOnConfigError } from '@kinora/service-kit';
import type { ConsoleConfig } from './console.config';
import { logAccess } from './http/access-log.hook';
import { createHttpServer } from './http/http.server';
import { parseBodies } from './http/parse-json-body';
import { setSecurityHeaders } from './http/security-headers';
import { MemberHook } from './customer/members/member.hook';
import { OperatorHook, requirePermissions } from './operator/users/operator.hook';
import { SessionHook } from './session/session.hook';

/** Longer than the timeout of any contract that the console uses. */
const HANDLER_TIMEOUT_MS = 30_000;

export interface ConsoleParts {
  rootModule: DynamicModule;
  config: ConsoleConfig;
  logger: Logger;
  connection: NatsConnection;
}

/** Builds the application. A request passes the session hook before its body is read and its handler runs. */
export async function createConsole(parts: ConsoleParts): Promise<NestFastifyApplication> {
  const { config, logger, connection } = parts;
  const server = createHttpServer(config);
  const app = await NestFactory.create<NestFastifyApplication>(parts.rootModule, new FastifyAdapter(server), {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  }).catch(exitOnConfigError);
  // The handlers are bound here, so a global filter that is added later has no effect on them: controllers name theirs.
  app.connectMicroservice<MicroserviceOptions>({ strategy: new BusServer(connection, 'console', logger) });
  server.decorateRequest('session', null);
  server.decorateRequest('operator', null);
  logAccess(server, logger);
  setSecurityHeaders(server, config.isSecure);
  const sessions = app.get(SessionHook);
  server.addHook('onRequest', (request) => sessions.onRequest(request));
  if (config.servesCustomers) {
    const members = app.get(MemberHook);
    server.addHook('onRequest', async (request) => members.onRequest(request));
  }
  if (config.servesOperators) {
    const operators = app.get(OperatorHook);
    requirePermissions(server);
    server.addHook('onRequest', (request) => operators.onRequest(request));
  }
  parseBodies(server);
  server.addHook('preHandler', (request, _reply, done) =>
    runInCall({ requestId: request.id, deadlineAtMs: deadlineIn(HANDLER_TIMEOUT_MS) }, done),
  );
  return app;
}
