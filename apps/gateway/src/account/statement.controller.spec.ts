import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { selfServiceRpc } from '@kinora/contracts/billing/self-service.rpc';
import { ADMISSION } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';

const testBed = useGateway();
const { contexts } = testBed;
const CALLER = { account_id: ADMISSION.account_id, api_key_id: ADMISSION.api_key_id };
const SECRET = '/v1/account/webhook-secret/rotate';

beforeEach(() => contexts.on(billingRpc.admit, () => ({ ...ADMISSION, scope: 'account' as const })));

describe('the statement and the webhook secret', () => {
  it.each([
    ['GET', '/v1/account/statement'],
    ['POST', SECRET],
  ])('are closed to the scope jobs: %s %s', async (method, path) => {
    contexts.on(billingRpc.admit, () => ADMISSION);
    expect((await testBed.client.send(method, path)).error.code).toBe('scope_required');
  });

  it('the statement is read by page', async () => {
    const page = { object: 'list' as const, data: [], has_more: false, next_cursor: null };
    contexts.on(selfServiceRpc.listStatement, () => page);
    expect((await testBed.client.send('GET', '/v1/account/statement?limit=7&cursor=abc')).json()).toEqual(page);
    expect(contexts.of(selfServiceRpc.listStatement)).toEqual([{ ...CALLER, limit: 7, cursor: 'abc' }]);
  });

  it('the secret is answered alone', async () => {
    contexts.on(selfServiceRpc.rotateWebhookSecret, () => ({ webhook_secret: 'whsec_new' }));
    const response = await testBed.client.send('POST', SECRET, { json: { overlap_seconds: 60 } });
    expect([response.status, response.json()]).toEqual([200, { webhook_secret: 'whsec_new' }]);
    expect(contexts.of(selfServiceRpc.rotateWebhookSecret)).toEqual([{ ...CALLER, overlap_seconds: 60 }]);
    const { error } = await testBed.client.send('POST', SECRET, { json: { overlap_seconds: -1 } });
    expect(error).toMatchObject({ code: 'invalid_body', param: 'overlap_seconds' });
  });
});
