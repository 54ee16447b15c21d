import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { accountDeliveriesRpc, type WebhookDelivery } from '@kinora/contracts/webhooks/account-deliveries.rpc';
import { ADMISSION, fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';

const testBed = useGateway();
const { contexts } = testBed;
const ID = '0192f3a0-0000-7000-8000-0000000000aa';
const { account_id, api_key_id } = ADMISSION;
const DELIVERY = { object: 'webhook_delivery', id: ID } as WebhookDelivery;
const PATH = '/v1/webhooks/deliveries';

beforeEach(() => contexts.on(billingRpc.admit, () => ({ ...ADMISSION, scope: 'account' as const })));

describe('deliveries of an account', () => {
  it.each([
    ['GET', PATH],
    ['GET', `${PATH}/${ID}`],
    ['POST', `${PATH}/${ID}/redeliver`],
    ['POST', '/v1/webhooks/test'],
  ])('are closed to the scope jobs: %s %s', async (method, path) => {
    contexts.on(billingRpc.admit, () => ADMISSION);
    expect((await testBed.client.send(method, path)).error.code).toBe('scope_required');
  });

  it('are listed with filters', async () => {
    const page = { object: 'list' as const, data: [], has_more: false, next_cursor: null };
    contexts.on(accountDeliveriesRpc.list, () => page);
    const filters = `job_id=${ID}&status=exhausted&host=example.com&since=2026-11-20`;
    expect((await testBed.client.send('GET', `${PATH}?limit=5&${filters}`)).json()).toEqual(page);
    expect(contexts.of(accountDeliveriesRpc.list)).toEqual([
      { account_id, limit: 5, job_id: ID, status: 'exhausted', host: 'example.com', since: '2026-11-20' },
    ]);
    const { error } = await testBed.client.send('GET', `${PATH}?status=lost`);
    expect(error).toMatchObject({ code: 'invalid_query', param: 'status' });
  });

  it('are shown one by one, and a malformed id is like an unknown one', async () => {
    contexts.on(accountDeliveriesRpc.get, fail('not_found', 'There is no such delivery.'));
    const [unknown, malformed] = [
      await testBed.client.send('GET', `${PATH}/${ID}`),
      await testBed.client.send('GET', `${PATH}/x`),
    ];
    expect([unknown.status, unknown.error.message]).toEqual([malformed.status, malformed.error.message]);
    expect(contexts.of(accountDeliveriesRpc.get)).toEqual([{ account_id, delivery_id: ID }]);
  });

  it('are repeated without a body, in the name of the key', async () => {
    contexts.on(accountDeliveriesRpc.redeliver, () => DELIVERY);
    const response = await testBed.client.send('POST', `${PATH}/${ID}/redeliver`);
    expect([response.status, response.json()]).toEqual([200, DELIVERY]);
    expect(contexts.of(accountDeliveriesRpc.redeliver)).toEqual([{ account_id, api_key_id, delivery_id: ID }]);
  });

  it('are tested, in the name of the key', async () => {
    contexts.on(accountDeliveriesRpc.sendTest, () => DELIVERY);
    const url = 'https://example.com/hook';
    expect((await testBed.client.send('POST', '/v1/webhooks/test', { json: { url } })).json()).toEqual(DELIVERY);
    expect(contexts.of(accountDeliveriesRpc.sendTest)).toEqual([{ account_id, api_key_id, url }]);
    const { error } = await testBed.client.send('POST', '/v1/webhooks/test', { json: {} });
    expect(error).toMatchObject({ code: 'invalid_body', param: 'url' });
  });
});
