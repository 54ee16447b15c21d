import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CallContext, deadlineIn, runInCall } from '@kinora/bus';
import { policyOf } from './route-policy';

/**
 * Runs the handler in the call context (request id, deadline, account), which is passed on to every service. The deadline
 * starts when the body has arrived, so a slow upload does not shorten the time of the services.
 */
export function runHandlerInCall(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const call: CallContext = { requestId: request.id, deadlineAtMs: deadlineIn(policyOf(request).timeoutMs) };
  if (request.admission) call.accountId = request.admission.account_id;
  const run = (): void => runInCall(call, done);
  // The body parser runs in the async context of the socket's data events, so the span is entered again here.
  if (request.trace) request.trace.enter(run);
  else run();
}

/** A new request id (decisions: Every response). */
export function newRequestId(): string {
  // Node caches random data for UUIDs. Calling randomBytes per request costs a hundred times as much.
  return `req_${randomUUID().replaceAll('-', '')}`;
}
