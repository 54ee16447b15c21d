import { type CallContext, deadlineIn, runInCall } from '@kinora/bus';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { policyOf } from './route-policy';

/**
 * Runs the handler in the call that follows it through every service. It begins when the body is here: a slow upload is
 * the client's time, not the time of the services behind.
 */
export function runHandlerInCall(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const call: CallContext = { requestId: request.id, deadlineAtMs: deadlineIn(policyOf(request).timeoutMs) };
  if (request.admission) call.accountId = request.admission.account_id;
  const run = (): void => runInCall(call, done);
  // What reads a body runs in the context of its bytes, which is nobody's.
  if (request.trace) request.trace.enter(run);
  else run();
}
