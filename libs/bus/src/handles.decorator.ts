import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { MessagePattern } from '@nestjs/microservices';
import type { EventContract, RpcContract, SignalContract } from '@kinora/contracts/shared/contract';

export type HandledContract = RpcContract<never, unknown> | EventContract<never> | SignalContract<never>;

/** What a handler of an event is told beside its payload. */
export interface EventDelivery {
  /** The outbox row's id: the same at every delivery, the key for the inbox. */
  messageId: string;
}

type Method<Handler> = (
  target: object,
  property: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;

/**
 * Makes a controller's method the one that answers a contract. The descriptor is invariant: a wrong or missing field
 * does not compile, nor does a return that is wider than promised, so an entity cannot slip out through a handler.
 */
export function Handles<Request, Response>(
  contract: RpcContract<Request, Response>,
): Method<(request: Request) => Promise<Response>> {
  return handles(contract);
}

/** Hears an event at least once, durably: one replica of the service works on a delivery until it succeeds. */
export function OnEvent<Event>(
  contract: EventContract<Event>,
): Method<(event: Event, delivery: EventDelivery) => Promise<void>> {
  return handles(contract);
}

/** Hears a signal if it is there to hear it; every replica does. */
export function OnSignal<Payload>(contract: SignalContract<Payload>): Method<(payload: Payload) => Promise<void>> {
  return handles(contract);
}

function handles<Handler>(contract: { readonly subject: string }): Method<Handler> {
  return (target, property, descriptor) => {
    MessagePattern(contract.subject, { contract })(target, property, descriptor);
    // No parameter is declared, so that all are handed over as they are: for each that is, Nest asks for pipes in several turns.
    Reflect.defineMetadata(ROUTE_ARGS_METADATA, {}, target.constructor, property);
  };
}
