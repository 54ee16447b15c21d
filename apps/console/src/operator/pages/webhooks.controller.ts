import { type DeliveryDetails, type ListDeliveriesRequest, webhooksRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import { page, PAGE } from '../../http/query-fields';
import type { Operator } from '../users/operator';
import { PERMISSIONS_OF_ROLE } from '../users/permissions';
import { REASON, text, UUID } from '../../http/fields';
import { controllerOf, get, post } from './operator-route';

/** Deliveries of webhooks, and the hosts that fail. */
export const OperatorWebhooksController = controllerOf('OperatorWebhooksController', {
  listFailing: get(
    'webhooks/failing',
    { summary: 'List failing endpoints', needs: 'view', query: ['account_id', ...PAGE] },
    ({ bus, query }) => page(bus.request(webhooksRpc.listFailingEndpoints, query)),
  ),
  listDeliveries: get(
    'webhooks/deliveries',
    {
      summary: 'List deliveries',
      needs: 'view',
      query: ['account_id', 'job_id', 'event_id', 'status', ...PAGE],
    },
    async ({ bus, by, query }) => {
      const { data, ...rest } = await bus.request(webhooksRpc.listDeliveries, query as ListDeliveriesRequest);
      return page({ ...rest, data: data.map((delivery) => redactDelivery(delivery, by)) });
    },
  ),
  showDelivery: get(
    'webhooks/deliveries/:id',
    { summary: 'Show a delivery with its attempts', needs: 'view' },
    async ({ bus, by, params: { id: delivery_id } }) => {
      const { delivery, attempts } = await bus.request(webhooksRpc.getDelivery, { delivery_id });
      return { delivery: redactDelivery(delivery, by), attempts };
    },
  ),
  redeliver: post(
    'webhooks/deliveries/:id/redeliver',
    { summary: 'Deliver again', needs: 'redeliver', body: { reason: REASON } },
    ({ audit, bus, by, params: { id: delivery_id }, body: { reason } }) =>
      audit.run(by, { action: 'redeliver', target: delivery_id, reason }, () =>
        bus.request(webhooksRpc.redeliver, { delivery_id }),
      ),
  ),
  /** Delivers again what an account has missed since a time. */
  recover: post(
    'webhooks/recoveries',
    {
      summary: 'Deliver again what an account has missed',
      needs: 'redeliver',
      body: { account_id: UUID, since: text(40, { type: 'string', format: 'date-time' }), reason: REASON },
    },
    ({ audit, bus, by, body: { account_id, since, reason } }) => {
      const entry = { action: 'recover_deliveries', account_id, target: account_id, reason, after: { since } };
      return audit.run(by, entry, () => bus.request(webhooksRpc.recoverDeliveries, { account_id, since }));
    },
  ),
});

/** The path and the query of an address can hold a secret of the customer, as its prompts can. The host is on the page of failing hosts. */
function redactDelivery(delivery: DeliveryDetails, { role }: Operator): DeliveryDetails {
  if (delivery.url === '' || PERMISSIONS_OF_ROLE[role].has('view_media')) return delivery;
  return { ...delivery, url: `${new URL(delivery.url).origin}/[hidden]` };
}
