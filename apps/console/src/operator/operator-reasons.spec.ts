import { type AccountDetails, type ApiKeyDetails, billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { LedgerReport } from '@kinora/contracts/billing/ledger.rpc';
import { type ModelDetails, type PriceChange, catalogAdminRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type DeliveryDetails, webhooksRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import { answering, on } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import type { Browser, BrowserAnswer } from '../../test/browser.fixtures';
import { useConsole } from '../../test/console.fixtures';
import { addOperator, confirm, operatorBrowser } from '../../test/operator.fixtures';

const ACCOUNT = uuidv7();
const ADDRESS = 'https://hooks.example.com:8443/path?token=secret';
const DELIVERY = {
  ...{ delivery_id: uuidv7(), event_id: 'evt_1', event_type: 'job.succeeded', account_id: ACCOUNT, job_id: uuidv7() },
  ...{ url: ADDRESS, status: 'exhausted', attempts: 6 },
} as unknown as DeliveryDetails;

const CHANGE = { price_group: 'resellers', factor_basis_points: 8_000 } as PriceChange;

/** Whether the model `one` is switched on. */
let isEnabled = false;

/** Stands in for webhooks, the catalog and the ledger. */
const fakeContexts = answering(
  on(webhooksRpc.redeliver, ({ delivery_id }) => ({ ...DELIVERY, delivery_id })),
  on(webhooksRpc.recoverDeliveries, () => ({ recovered: 1 })),
  on(webhooksRpc.listDeliveries, () => ({ data: [DELIVERY, { ...DELIVERY, url: '' }] })),
  on(webhooksRpc.getDelivery, () => ({ delivery: DELIVERY, attempts: [] })),
  on(catalogAdminRpc.listAllModels, () => ({
    data: [{ model: { id: 'one', price: { micros: 9 } }, enabled: isEnabled, routes: [] } as unknown as ModelDetails],
  })),
  on(catalogAdminRpc.listPriceGroups, () => ({ data: [CHANGE] })),
  on(catalogAdminRpc.setPrice, ({ micros }) => ({ ...CHANGE, micros })),
  on(catalogAdminRpc.setPriceFactor, (set) => ({ ...CHANGE, ...set })),
  on(billingAdminRpc.revokeKey, ({ account_id, api_key_id }) => {
    if (account_id !== ACCOUNT) throw new ApiError('not_found', 'There is no such key.');
    return { api_key_id } as ApiKeyDetails;
  }),
  on(billingAdminRpc.setPriceGroup, ({ price_group }) => ({ price_group }) as AccountDetails),
  on(catalogAdminRpc.setModelEnabled, ({ model, enabled }) => {
    if (model !== 'one') throw new ApiError('not_found', 'There is no such model.');
    isEnabled = enabled;
    return { model: { id: model }, enabled, routes: [] } as unknown as ModelDetails;
  }),
  on(billingAdminRpc.verifyLedger, () => {
    const report = { ok: true, accounts: 1, entries: 2, next_account_id: null, violations: [] };
    return report as unknown as LedgerReport;
  }),
);

const bed = useConsole({}, fakeContexts);

describe('an action of an operator', () => {
  let owner: Browser;
  let email: string;

  beforeAll(async () => {
    ({ browser: owner, email } = await operatorBrowser(bed, 'owner'));
    await confirm(owner);
  });

  const send = (method: 'POST' | 'PATCH', path: string, body: object): Promise<BrowserAnswer> =>
    owner.send(`/admin/v1/operator/${path}`, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const lastEntry = async () => {
    const { data } = (await owner.get('/admin/v1/operator/audit?limit=1')).json<{ data: Record<string, unknown>[] }>();
    return data[0];
  };

  it.each([
    [
      'POST',
      'webhooks/recoveries',
      async () => ({ account_id: ACCOUNT, since: '2026-11-23T00:00:00Z' }),
      'recover_deliveries',
    ],
    ['POST', `webhooks/deliveries/${DELIVERY.delivery_id}/redeliver`, async () => ({}), 'redeliver'],
    ['POST', `accounts/${ACCOUNT}/payments/${uuidv7()}/end`, async () => ({}), 'end_payment'],
    ['POST', `accounts/${ACCOUNT}/keys/${uuidv7()}/revoke`, async () => ({}), 'revoke_key'],
    ['POST', 'ledger/verifications', async () => ({}), 'verify_ledger'],
    ['PATCH', 'models/one', async () => ({ enabled: true }), 'switch_model'],
    ['POST', 'models/one/prices', async () => ({ micros: 7, price_group: 'resellers' }), 'set_price'],
    ['POST', 'price-groups/resellers/factors', async () => ({ factor_basis_points: 1 }), 'set_price_factor'],
    ['PATCH', `accounts/${ACCOUNT}/price-group`, async () => ({ price_group: 'resellers' }), 'set_price_group'],
    ['POST', 'users', async () => ({ email: `${uuidv7()}@kinora.test`, role: 'viewer' }), 'add_operator'],
    ['PATCH', 'users/role', async () => ({ email: await addOperator(bed, 'viewer'), role: 'support' }), 'set_role'],
    [
      'PATCH',
      'users/disabled',
      async () => ({ email: await addOperator(bed, 'viewer'), disabled: true }),
      'disable_operator',
    ],
  ] as const)('needs a reason, which stands in the trail: %s %s', async (method, path, makeForm, action) => {
    const form = await makeForm();
    const refused = await send(method, path, form);
    expect([refused.status, refused.json()]).toMatchObject([400, { error: { code: 'invalid_body', param: 'reason' } }]);
    expect((await send(method, path, { ...form, reason: 'asked for it' })).status).toBeLessThan(300);
    expect(await lastEntry()).toMatchObject({ actor: email, action, reason: 'asked for it', outcome: 'done' });
  });

  it.each([
    [`models/one/prices`, { micros: 7 }, { price_micros: 9, micros_by_size: {} }, { price_micros: 7 }],
    [`models/one/prices`, {}, { price_micros: 9, micros_by_size: {} }, { price_micros: null }],
    [
      'price-groups/resellers/factors',
      { factor_basis_points: 5 },
      { factor_basis_points: 8_000 },
      { factor_basis_points: 5 },
    ],
  ])('on prices records them before and after: %s %j', async (path, form, before, after) => {
    expect((await send('POST', path, { ...form, reason: 'asked for it' })).status).toBe(200);
    expect(await lastEntry()).toMatchObject({ before, after });
  });

  it('on a model records the state that it has read', async () => {
    const switchOn = (model: string) => send('PATCH', `models/${model}`, { enabled: true, reason: 'asked for it' });
    isEnabled = false;
    for (const enabled of [false, true]) {
      await switchOn('one');
      expect(await lastEntry()).toMatchObject({ target: 'one', before: { enabled }, after: { enabled: true } });
    }
    expect((await switchOn('two')).status).toBe(404);
    expect(await lastEntry()).toMatchObject({ target: 'two', before: null, outcome: 'refused: not_found' });
  });
});

describe('the address of a webhook', () => {
  it.each([
    ['owner', ADDRESS],
    ['support', ADDRESS],
    ['finance', 'https://hooks.example.com:8443/[hidden]'],
    ['viewer', 'https://hooks.example.com:8443/[hidden]'],
  ] as const)('is shown to the role %s as %s', async (role, url) => {
    const { browser } = await operatorBrowser(bed, role);
    const deliveries = '/admin/v1/operator/webhooks/deliveries';
    expect((await browser.get(deliveries)).json()).toMatchObject({ data: [{ url }, { url: '' }] });
    const shown = await browser.get(`${deliveries}/${DELIVERY.delivery_id}`);
    expect(shown.json()).toMatchObject({ delivery: { url } });
  });
});
