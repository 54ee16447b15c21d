import { CONSOLE_USER_AGENT, type EndedRequest } from '@kinora/contracts/console/request-log.events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressedJobId } from '../http/access-log.hook';
import { onRequestEnd } from '../http/request-end';
import type { RequestLog } from './request-log';

/** Records every request with a valid key. A caller without one could otherwise fill the log of all accounts. */
export function recordRequests(server: FastifyInstance, log: RequestLog): void {
  server.addHook('onRequest', (request, reply, done) => {
    const beganAt = Date.now();
    onRequestEnd(request, () => {
      const ended = toEndedRequest(request, reply, beganAt);
      if (ended) log.add(ended);
    });
    done();
  });
}

function toEndedRequest(request: FastifyRequest, reply: FastifyReply, beganAt: number): EndedRequest | null {
  if (request.admission === null) return null;
  const { account_id, api_key_id } = request.admission;
  return {
    id: request.id,
    account_id,
    api_key_id,
    at: new Date(beganAt).toISOString(),
    method: request.method,
    // Never the URL: clients put API keys into paths and queries.
    route: request.is404 ? null : (request.routeOptions.url ?? null),
    status: reply.raw.headersSent ? reply.statusCode : null,
    code: request.errorCode,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    job_id: request.createdJobId ?? addressedJobId(request) ?? null,
    ...(request.headers['user-agent'] === CONSOLE_USER_AGENT && { from_console: true }),
  };
}
