import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { MessagePattern } from '@nestjs/microservices';
import type { EventContract, RpcContract, SignalContract } from '@kinora/contracts/shared/contract';

export type HandledContract = RpcContract<never, unknown> | EventContract<never> | SignalContract<never>;

export interface HandlerExtras {
  contract: HandledContract;
}

/** What a handler of an event receives besides its payload. */
export interface EventDelivery {
  /** The id of the outbox row. It is the same at every delivery, and is the key for the inbox. */
  messageId: string;
}

type Method<Handler> = (
  target: object,
  property: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;

/**
 * Makes a controller's method the handler of a contract. The method type is invariant: a wrong or missing field does not
 * compile. Nor does a return type wider than the contract, so a handler cannot leak an entity.
 */
export function Handles<Request, Response>(
  contract: RpcContract<Request, Response>,
): Method<(request: Request) => Promise<Response>> {
  return handles(contract);
}

/** Handles an event at least once (durable): one replica of the service gets each delivery until it succeeds. */
export function OnEvent<Event>(
  contract: EventContract<Event>,
): Method<(event: Event, delivery: EventDelivery) => Promise<void>> {
  return handles(contract);
}

/** Handles a signal (not durable): every connected replica receives it. */
export function OnSignal<Payload>(contract: SignalContract<Payload>): Method<(payload: Payload) => Promise<void>> {
  return handles(contract);
}

function handles<Handler>(contract: { readonly subject: string }): Method<Handler> {
  return (target, property, descriptor) => {
    MessagePattern(contract.subject, { contract })(target, property, descriptor);
    // The function declares no parameters and passes all through. Nest runs pipes for each declared one, over several ticks.
    Reflect.defineMetadata(ROUTE_ARGS_METADATA, {}, target.constructor, property);
  };
}
