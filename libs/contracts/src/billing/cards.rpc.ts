import { rpc } from '../shared/contract';
import type { PresentedKeyRequest } from './portal.rpc';

/** A card that the payment provider keeps for the account. */
export interface Card {
  card_id: string;
  /** Such as `visa`. */
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
}

/** The saved cards of the account whose key the request proves. */
export const cardsRpc = {
  list: rpc<PresentedKeyRequest, { data: Card[] }>('billing.v1.list_own_cards', {
    timeoutMs: 25_000,
    errors: ['invalid_api_key', 'scope_required'],
  }),
  /** Auto-recharge by this card stops. */
  remove: rpc<PresentedKeyRequest & { card_id: string }, Record<string, never>>('billing.v1.remove_own_card', {
    timeoutMs: 25_000,
    errors: ['invalid_api_key', 'scope_required', 'not_found'],
  }),
} as const;
