import { v7 as uuidv7 } from 'uuid';
import { useBilling } from './billing.fixtures';
import { OwnMoneyController } from '../src/self-service.controller';
import { SelfService } from './self-service.fixtures';
import { SetAutoRecharge } from '../src/use-cases/set-auto-recharge.use-case';

const billing = useBilling({ payments: 'sandbox' });

const ADA = { name: 'Ada Ltd', address: '1 Main St\nLondon', tax_id: 'GB 123.456-789' };
const AMOUNTS = { threshold_micros: 500_000, amount_micros: 5_000_000, monthly_cap_micros: null };

describe('the money of the account whose key a request proves', () => {
  let money: OwnMoneyController;
  let own: SelfService;
  let foreign: SelfService;

  beforeAll(async () => {
    money = billing.get(OwnMoneyController);
  });
  beforeEach(async () => {
    [own, foreign] = [await SelfService.open(billing), await SelfService.open(billing)];
  });

  const configure = ({ caller: { account_id } }: SelfService) =>
    billing.get(SetAutoRecharge).execute({ account_id, enabled: true, ...AMOUNTS, payment_method: 'pm_operator' });
  const read = async ({ caller: { account_id } }: SelfService) => (await billing.show(account_id)).auto_recharge;

  it('is read without the ids of the payment provider', async () => {
    await configure(own);
    await own.reserve(own.caller.api_key_id, uuidv7(), 7);
    const { key_sha256 } = own;
    expect(await money.showHeld({ key_sha256 })).toEqual({ held_micros: 7 });
    const { auto_recharge } = await money.showAutoRecharge({ key_sha256 });
    expect(auto_recharge).toEqual({ enabled: true, ...AMOUNTS, failures: 0, stopped_reason: null });
    expect(await money.listPayments({ key_sha256 })).toMatchObject({ data: [], next_cursor: null });
  });

  it('is changed under the name of the key, whatever account or payment method the request names', async () => {
    await configure(own);
    await configure(foreign);
    const { account_id } = foreign.caller;
    const named = { account_id, payment_method: 'pm_foreign', customer: 'cus_foreign', actor: 'ada', reason: 'x' };
    const request = { ...named, key_sha256: own.key_sha256, enabled: false, amount_micros: 6_000_000 };
    expect(await money.setAutoRecharge(request)).toMatchObject({ enabled: false, amount_micros: 6_000_000 });
    expect(await read(own)).toMatchObject({ enabled: false, payment_method: 'pm_operator', customer: null });
    expect(await read(foreign)).toMatchObject({ enabled: true, amount_micros: 5_000_000 });
    const data = await billing.actionsOf(own.caller.account_id);
    const actor = `console session of key ${own.caller.api_key_id}`;
    expect(data[0]).toMatchObject({ action: 'set_auto_recharge', actor, reason: 'changed by the customer' });
  });

  it.each(['showHeld', 'showAutoRecharge', 'listPayments', 'setAutoRecharge'] as const)(
    '%s is refused without the secret of a valid key',
    async (operation) => {
      for (const key_sha256 of [own.caller.account_id, own.caller.api_key_id, '', 'f'.repeat(64)])
        await expect(money[operation]({ ...own.caller, key_sha256, enabled: false })).rejects.toMatchObject({
          code: 'invalid_api_key',
        });
    },
  );

  it('goes with billing details, whose change is in the audit trail without the address', async () => {
    const { key_sha256, caller } = own;
    expect(await money.showBillingDetails({ key_sha256 })).toEqual({ billing_details: null });
    await money.setBillingDetails({ key_sha256, ...ADA });
    const billing_details = { ...ADA, tax_id: null };
    await money.setBillingDetails({ key_sha256, ...billing_details });
    expect(await money.showBillingDetails({ key_sha256 })).toEqual({ billing_details });
    expect(await money.showBillingDetails(foreign)).toEqual({ billing_details: null });
    const [action] = await billing.actionsOf(caller.account_id);
    expect(action).toMatchObject({ action: 'set_billing_details', details: {} });
    expect(JSON.stringify(action)).not.toContain(ADA.address);
  });

  it.each([
    ['name', ' '],
    ['name', undefined],
    ['address', ''],
    ['address', 'x'.repeat(501)],
    ['tax_id', ''],
    ['tax_id', 'DE1<b>'],
    ['tax_id', 7],
  ])('refuses billing details with a bad %s: %j', async (param, value) => {
    const refused = money.setBillingDetails({ key_sha256: own.key_sha256, ...ADA, [param]: value });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_body', param });
  });

  it.each(['read', 'jobs'] as const)('is not for a key of the scope %s, but for what is held', async (scope) => {
    const { key_sha256 } = await own.restricted({ scope });
    expect(await money.showHeld({ key_sha256 })).toEqual({ held_micros: 0 });
    for (const refused of [
      () => money.showAutoRecharge({ key_sha256 }),
      () => money.listPayments({ key_sha256 }),
      () => money.showBillingDetails({ key_sha256 }),
      () => money.setBillingDetails({ key_sha256, ...ADA }),
      () => money.setAutoRecharge({ key_sha256, enabled: false }),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 'scope_required' });
  });
});
