import type { HoldEnd } from '@kinora/contracts/billing/billing.rpc';

/** `barred` stands for a job that was refunded before it was reserved. */
export type EndedHoldState = 'captured' | 'refunded' | 'barred';

/** How a hold ended, as callers are told. */
export function toHoldEnd(state: EndedHoldState): HoldEnd {
  return { state: state === 'barred' ? 'none' : state };
}
