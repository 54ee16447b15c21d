import type { Browser } from '../../test/browser.fixtures';
import { ConsoleTestBed, useConsole } from '../../test/console.fixtures';
import { answerJson } from '../../test/stub-gateway.fixtures';

const bed = useConsole();
let key: ReturnType<ConsoleTestBed['keys']['create']>;
let browser: Browser;

beforeEach(async () => {
  bed.gateway.answer = (_request, response) => answerJson(response, 200, { object: 'account' });
  key = bed.keys.create();
  browser = await bed.signedIn(key);
  bed.keys.received.length = 0;
});

const CUSTOMER = '/admin/v1/customer';
const ID = '0192f3a0-0000-7000-8000-00000000000a';

describe('a payment by the page of the provider', () => {
  it('names an amount and nothing else; the console adds where the customer is and comes back to', async () => {
    const body = { amount_micros: 7_000_000, saves_card: true };
    const extra = { account_id: 'x', currency: 'jpy', return_url: 'https://evil.example', address: '1.1.1.1' };
    const answer = await browser.post(`${CUSTOMER}/checkouts`, { ...body, ...extra });
    expect([answer.status, answer.json()]).toMatchObject([201, { amount_micros: 7_000_000, state: 'open' }]);
    const return_url = expect.stringMatching(/^http:\/\/[^/]+\/money\/top-ups$/) as string;
    const added = { address: expect.any(String) as string, return_url };
    const request = { proved: key.api_key_id, ...body, ...added };
    expect(bed.keys.received).toEqual([{ subject: 'create_checkout', request }]);
  });

  it.each([
    ['amount_micros', { saves_card: true, amount_micros: '7' }],
    ['amount_micros', { saves_card: true }],
    ['saves_card', { amount_micros: 7_000_000 }],
  ])('is refused with a bad %s', async (param, body) => {
    const answer = await browser.post(`${CUSTOMER}/checkouts`, body);
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { param } }]);
    expect(bed.keys.received).toEqual([]);
  });

  it('is shown as billing knows it, by the proof of the key', async () => {
    const answer = await browser.get(`${CUSTOMER}/checkouts/${ID}`);
    expect(answer.json()).toMatchObject({ payment_id: ID, state: 'open' });
    const request = { proved: key.api_key_id, payment_id: ID };
    expect(bed.keys.received).toEqual([{ subject: 'show_checkout', request }]);
  });

  it('of the sandbox is paid in the console', async () => {
    expect((await browser.get(`${CUSTOMER}/rehearsals/${ID}`)).json()).toMatchObject({ state: 'open' });
    const answer = await browser.post(`${CUSTOMER}/rehearsals/${ID}`, { card: 'succeeds', is_confirmed: false });
    expect([answer.status, answer.json()]).toEqual([200, { outcome: 'needs_confirmation' }]);
  });

  it.each(['read', 'jobs'] as const)('is not for a key of the scope %s', async (scope) => {
    const weak = await bed.signedIn(bed.keys.create(scope));
    bed.keys.received.length = 0;
    for (const path of ['top-up-offer', 'cards', `checkouts/${ID}`, `rehearsals/${ID}`])
      expect((await weak.get(`${CUSTOMER}/${path}`)).status).toBe(403);
    const body = { amount_micros: 7_000_000, saves_card: false };
    expect((await weak.post(`${CUSTOMER}/checkouts`, body)).status).toBe(403);
    expect(bed.keys.received).toEqual([]);
  });
});

describe('a saved card', () => {
  it('is listed and removed', async () => {
    expect((await browser.get(`${CUSTOMER}/cards`)).json()).toMatchObject({ data: [{ last4: '4242' }] });
    expect((await browser.delete(`${CUSTOMER}/cards/pm_1`)).json()).toEqual({ card_id: 'pm_1', removed: true });
    expect((await browser.delete(`${CUSTOMER}/cards/pm_of_another`)).status).toBe(404);
  });
});

describe('the warning about a low balance', () => {
  it('is set and taken away by the proof of the key', async () => {
    const path = `${CUSTOMER}/balance-alert`;
    expect((await browser.get(path)).json()).toMatchObject({ threshold_micros: 5_000_000, is_below: false });
    expect((await browser.post(path, { threshold_micros: 7 })).json()).toMatchObject({ threshold_micros: 7 });
    expect((await browser.post(path, { threshold_micros: null })).json()).toMatchObject({ threshold_micros: null });
  });
});
