import { Controller, type Type } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import type { RpcContract } from '@kinora/contracts/shared/contract';

type Handler = (request: never) => unknown;

export type Answer = readonly [contract: RpcContract<never, unknown>, handler: Handler];

export function on<Request, Response>(
  contract: RpcContract<Request, Response>,
  handler: (request: Request) => Response | Promise<Response>,
): Answer {
  return [contract, handler];
}

/** A controller that stands in for a context: it answers each contract as given. */
export function answering(...answers: Answer[]): Type {
  class StandIn {}
  Controller()(StandIn);
  for (const [contract, handler] of answers) {
    const method = { value: async (request: never): Promise<unknown> => handler(request) };
    Object.defineProperty(StandIn.prototype, contract.subject, method);
    Handles(contract)(StandIn.prototype, contract.subject, method);
  }
  return StandIn;
}
