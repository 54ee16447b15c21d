import { cardsRpc } from '@kinora/contracts/billing/cards.rpc';
import { checkoutRpc, rehearsalRpc } from '@kinora/contracts/billing/checkout.rpc';
import { addressGroup } from '../../../../libs/service-kit/src/http/connection-limit';
import { BOOLEAN, INTEGER, text } from '../http/fields';
import { controllerOf, get, post, remove } from './customer-route';

/** Payments by the page of the payment provider. Amount, provider and account are billing's to decide; the page only names an amount. */
export const CheckoutsController = controllerOf('CheckoutsController', {
  showOffer: get('top-up-offer', { summary: 'Show what can be paid in' }, ({ ask }) => ask(checkoutRpc.showOffer, {})),
  create: post(
    'checkouts',
    {
      summary: 'Begin a payment by the page of the payment provider',
      body: { amount_micros: INTEGER, saves_card: BOOLEAN },
      status: 201,
    },
    ({ ask, body, config, request, session }) =>
      ask(checkoutRpc.create, {
        ...body,
        address: addressGroup(request.ip),
        return_url: `${config.portalOrigin}/money/top-ups`,
        ...(session.member_email !== null && { receipt_email: session.member_email }),
      }),
  ),
  show: get(
    'checkouts/:id',
    { summary: 'Show a payment, as the payment provider knows it' },
    ({ ask, params: { id: payment_id } }) => ask(checkoutRpc.show, { payment_id }),
  ),
  /** The payment provider keeps them. */
  listCards: get('cards', { summary: 'List the saved cards of the account' }, ({ ask }) => ask(cardsRpc.list, {})),
  removeCard: remove(
    'cards/:id',
    { summary: 'Remove a saved card, and stop the automatic recharge by it', hasTextId: true },
    async ({ ask, params: { id: card_id } }): Promise<{ card_id: string; removed: true }> => {
      await ask(cardsRpc.remove, { card_id });
      return { card_id, removed: true };
    },
  ),
  showRehearsal: get(
    'rehearsals/:id',
    { summary: 'Show a page of the sandbox payment provider' },
    ({ ask, params: { id: payment_id } }) => ask(rehearsalRpc.show, { payment_id }),
  ),
  payRehearsal: post(
    'rehearsals/:id',
    { summary: 'Pay a page of the sandbox payment provider', body: { card: text(100), is_confirmed: BOOLEAN } },
    ({ ask, body, params: { id: payment_id } }) => ask(rehearsalRpc.pay, { payment_id, ...body }),
  ),
});
