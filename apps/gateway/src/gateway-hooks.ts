import type { IncomingMessage } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Logger, Readiness } from '@kinora/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GatewayConfig } from './gateway.config';
import { AdmissionHook } from './http/admission.hook';
import { BodyParser } from './http/body-parser';
import { runHandlerInCall } from './http/call.hook';
import { LINGER_MS, UnusedConnections, closeAfterClient } from './http/closing-connections';
import { allowOrigins } from './http/cors';
import { rememberRoutes } from './http/known-routes';
import { LargeBodyParser, type WorkerProgram } from './http/large-body-parser';
import { logAccess, meterRequests, traceRequests } from './http/observation.hook';
import { trackRequestEnds } from './http/request-end';
import { policyOf } from './http/route-policy';
import { RequestLog, recordRequests } from './request-log/request-log';

export interface HookParts {
  server: FastifyInstance;
  app: NestFastifyApplication;
  config: GatewayConfig;
  logger: Logger;
  largeBodyWorker: WorkerProgram;
}

/**
 * The steps of a request, in their order. Fastify runs the hooks of one kind in the order in which they are added, and no later
 * one after a hook that answers or throws.
 */
const HOOKS: readonly ((parts: HookParts) => void)[] = [
  // First of all, because it sees only the routes that are registered after it.
  ({ server }) => rememberRoutes(server),

  // onRequest: before all hooks that call `onRequestEnd`.
  ({ server }) => trackRequestEnds(server),
  // Before the access log, which names the trace. All that follows runs in the span.
  ({ server }) => traceRequests(server),
  // These three before admission, so that a refused request is logged, measured and recorded too.
  ({ server, logger }) => logAccess(server, logger),
  ({ server }) => meterRequests(server),
  ({ server, app }) => recordRequests(server, app.get(RequestLog)),
  // Before admission: its refusals need the headers for scripts, and it answers preflights of listed origins only.
  ({ server, config }) => allowOrigins(server, config.corsOrigins),
  // Last of onRequest, and before preParsing: a refused request costs no byte of its body.
  admitRequests,

  // preParsing: the client sends its body only now.
  inviteBody,
  // Parsing needs the room in the body budget that admission has opened.
  parseBodies,
  // preHandler: the deadline of the services starts after the body has arrived.
  ({ server }) => server.addHook('preHandler', runHandlerInCall),

  // onSend: whether the connection can be kept is known only after the body was read, or was not.
  endConnections,
];

export function addHooks(parts: HookParts): void {
  for (const add of HOOKS) add(parts);
}

function admitRequests({ server, app }: HookParts): void {
  const admission = app.get(AdmissionHook);
  server.decorateRequest('admission', null);
  server.decorateRequest('keySha256', null);
  server.decorateRequest('callbackTarget', null);
  server.decorateRequest('bodyRoom', null);
  server.decorateRequest('reportsFailedJob', false);
  server.addHook('onRequest', (request, reply) => admission.onRequest(request, reply));
}

function inviteBody({ server }: HookParts): void {
  server.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
    // A route that ignores the body must also ignore its type: Fastify refuses a content type that it cannot parse.
    const { takesJson, takesMultipart } = policyOf(request);
    if (!takesJson && !takesMultipart) delete request.headers['content-type'];
    done();
  });
}

function parseBodies({ server, config, logger, largeBodyWorker }: HookParts): void {
  const largeBodies = new LargeBodyParser(largeBodyWorker, logger);
  const bodies = new BodyParser(largeBodies, config);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    bodies.parse(request, payload),
  );
  server.addHook('onClose', () => largeBodies.close());
}

function endConnections({ server, app }: HookParts): void {
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
}
