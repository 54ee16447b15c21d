import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { PayRehearsalRequest, Rehearsal } from '@kinora/contracts/billing/checkout.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database, statement } from '@kinora/database';
import { assertGiven, assertOneOf, assertUuid } from '../operator/operator-input';
import { REHEARSAL_CARDS } from '../payments/sandbox-cards';

const FIND = statement(
  'sandbox_checkout_show',
  `SELECT payment_id, amount_micros, saves_card, return_url,
          CASE WHEN paid_with IS NOT NULL THEN 'paid' WHEN expires_at <= now() THEN 'expired' ELSE 'open' END AS state
   FROM sandbox_checkout WHERE payment_id = $1 AND account_id = $2`,
);

/** Of two browsers, one pays. The provider keeps the card where the customer has asked for it. */
const PAY = statement(
  'sandbox_checkout_pay',
  `WITH paid AS (
     UPDATE sandbox_checkout SET paid_with = $3, paid_at = now()
     WHERE payment_id = $1 AND account_id = $2 AND paid_with IS NULL AND expires_at > now()
     RETURNING customer, saves_card
   ), kept AS (
     INSERT INTO sandbox_card (id, customer, card)
     SELECT 'sandbox_card_' || $4::uuid, customer, $3 FROM paid WHERE saves_card ON CONFLICT DO NOTHING
   )
   SELECT count(*) AS paid FROM paid`,
);

type Request<Fields> = Omit<Fields, 'key_sha256'> & { account_id: string };

/** Shows and pays a page of the sandbox provider, with cards that succeed, are declined, or need a second step. */
@Injectable()
export class RehearseCheckout {
  constructor(private readonly database: Database) {}

  async show(request: { account_id: string; payment_id: string }): Promise<Rehearsal> {
    assertUuid(request, 'payment_id');
    const found = await this.database.findOne<Omit<Rehearsal, 'cards'>>(FIND, [request.payment_id, request.account_id]);
    if (!found) throw new ApiError('not_found', 'There is no such page.', { param: 'payment_id' });
    const cards = Object.entries(REHEARSAL_CARDS).map(([card, { label, number }]) => ({ card, label, number }));
    return { ...found, cards };
  }

  async pay(request: Request<PayRehearsalRequest>): Promise<{ outcome: 'paid' | 'declined' | 'needs_confirmation' }> {
    assertGiven(request, 'card', 'is_confirmed');
    assertOneOf(request, 'card', Object.keys(REHEARSAL_CARDS));
    const { state } = await this.show(request);
    if (state !== 'open') throw closed(state);
    const outcome = REHEARSAL_CARDS[request.card]?.outcome;
    if (outcome === 'declined') return { outcome };
    if (outcome === 'needs_confirmation' && !request.is_confirmed) return { outcome };
    const { payment_id, account_id, card } = request;
    const row = await this.database.findOne<{ paid: number }>(PAY, [payment_id, account_id, card, uuidv7()]);
    if (row?.paid !== 1) throw closed('paid');
    return { outcome: 'paid' };
  }
}

function closed(state: string): ApiError {
  return new ApiError('invalid_body', `This page is ${state} already.`, { param: 'payment_id' });
}
