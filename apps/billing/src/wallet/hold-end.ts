import type { HoldEnd } from '@kinora/contracts/billing/billing.rpc';

/** `barred`: the job was refunded before it was reserved. */
export type EndedHoldState = 'captured' | 'refunded' | 'barred';

/** The end of a hold in the form of the RPC response. */
export function toHoldEnd(state: EndedHoldState): HoldEnd {
  return { state: state === 'barred' ? 'none' : state };
}
