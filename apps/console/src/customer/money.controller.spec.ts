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

describe('the paper of a month', () => {
  it('is what billing answers for the account of the key', async () => {
    const answer = await browser.get('/admin/v1/customer/statements/2026-02');
    expect(answer.json()).toEqual({ month: '2026-02', cursor: '1' });
    expect(bed.keys.received).toEqual([
      { subject: 'show_own_month', request: { proved: key.api_key_id, month: '2026-02' } },
    ]);
    expect((await browser.get('/admin/v1/customer/statements/2026-13')).status).toBe(400);
  });

  it('has the billing details that a session with the money has set', async () => {
    const details = { name: 'Ada Ltd', address: 'London', tax_id: null };
    const path = '/admin/v1/customer/billing-details';
    expect((await browser.get(path)).json()).toEqual({ billing_details: details });
    bed.keys.received.length = 0;
    await browser.post(path, { name: 'Eve', address: 'Rome', account_id: 'another' });
    const request = { proved: key.api_key_id, name: 'Eve', address: 'Rome', tax_id: null };
    expect(bed.keys.received).toEqual([{ subject: 'set_own_billing_details', request }]);
  });
});

describe('payments and recharges', () => {
  it('are those of the account whose key the session has, which each request proves', async () => {
    const payments = await browser.get('/admin/v1/customer/payments?account_id=another&cursor=c-1');
    expect(payments.json()).toMatchObject({
      data: [{ amount_micros: 5_000_000, state: 'succeeded' }],
      has_more: false,
    });
    const recharge = await browser.get('/admin/v1/customer/auto-recharge');
    expect(recharge.json()).toMatchObject({ auto_recharge: { enabled: true, threshold_micros: 5_000_000 } });
    expect(bed.keys.received).toEqual([
      { subject: 'list_own_payments', request: { proved: key.api_key_id, cursor: 'c-1' } },
      { subject: 'show_own_auto_recharge', request: { proved: key.api_key_id } },
    ]);
  });

  it('are changed by the proof of the key, and never the payment method', async () => {
    const change = { enabled: false, threshold_micros: 1_000_000 };
    const answer = await browser.post('/admin/v1/customer/auto-recharge', change);
    expect(answer.json()).toMatchObject({ auto_recharge: { enabled: false } });
    const request = { proved: key.api_key_id, ...change };
    expect(bed.keys.received).toEqual([{ subject: 'set_own_auto_recharge', request }]);
    for (const [body, param] of [
      [{ enabled: true, payment_method: 'pm_x' }, 'payment_method'],
      [{ enabled: true, account_id: 'x' }, 'account_id'],
      [{ enabled: true, actor: 'ada' }, 'actor'],
      [{ threshold_micros: 5 }, 'enabled'],
      [[], 'enabled'],
    ] as const) {
      const refused = await browser.post('/admin/v1/customer/auto-recharge', body);
      expect(refused.status).toBe(400);
      expect(refused.json()).toMatchObject({ error: { param } });
    }
    expect(bed.keys.received).toHaveLength(1);
  });

  it.each(['read', 'jobs'] as const)(
    'need the capability account, which a key of the scope %s has not',
    async (scope) => {
      const weak = await bed.signedIn(bed.keys.create(scope));
      const lists = ['payments', 'auto-recharge', 'key-spend', 'key-spend.csv', 'top-up-offer', 'cards'];
      for (const path of [...lists, `checkouts/${ID}`, `rehearsals/${ID}`]) {
        const answer = await weak.get(`${CUSTOMER}/${path}`);
        expect(answer.status).toBe(403);
        expect(answer.json()).toMatchObject({ error: { code: 'capability_required' } });
      }
      expect((await weak.post(`${CUSTOMER}/auto-recharge`, { enabled: true })).status).toBe(403);
      const checkout = { amount_micros: 7_000_000, saves_card: false };
      expect((await weak.post(`${CUSTOMER}/checkouts`, checkout)).status).toBe(403);
      expect(bed.keys.received).toEqual([]);
    },
  );

  it('show what is held to every session, and nothing else of the account', async () => {
    const reader = await bed.signedIn(bed.keys.create('read', key.account_id));
    expect((await reader.get('/admin/v1/customer/held')).json()).toEqual({ held_micros: 40_000 });
    expect(bed.keys.received).toEqual([
      { subject: 'show_own_held', request: { proved: expect.any(String) as string } },
    ]);
  });

  it.each(['payments?cursor=zz', 'key-spend?days=x', 'key-spend?days=400', 'key-spend.csv?days=400'])(
    'call a refused parameter of %s one of the query',
    async (path) => {
      const answer = await browser.get(`/admin/v1/customer/${path}`);
      const param = /\?(.+)=/.exec(path)?.[1];
      expect([answer.status, answer.json()]).toMatchObject([400, { error: { code: 'invalid_query', param } }]);
    },
  );

  it('need a key that still works', async () => {
    const { token } = bed.keys.createLink('account');
    const portal = bed.browser();
    await portal.post('/admin/v1/session/portal', { token });
    expect((await portal.get('/admin/v1/customer/payments')).status).toBe(200);
    bed.keys.revokeAll();
    expect((await portal.get('/admin/v1/customer/payments')).status).toBe(401);
    expect((await browser.get('/admin/v1/customer/payments')).status).toBe(401);
  });
});

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

describe('a list as a file', () => {
  it('of usage holds what the API answers for the same query', async () => {
    const counters = {
      jobs: 3,
      succeeded: 2,
      failed: 1,
      canceled: 0,
      in_flight: 0,
      charged_micros: 1_234_567,
      gpu_ms: 9,
    };
    bed.gateway.answer = (request, response) => {
      expect(request.url).toBe('/v1/usage?group_by=model');
      answerJson(response, 200, {
        group_by: 'model',
        data: [
          { model: '=cmd|x', ...counters },
          { model: 'a,"b"', ...counters },
        ],
      });
    };
    const answer = await browser.get('/admin/v1/customer/usage.csv?group_by=model');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="usage.csv"',
    });
    expect(answer.text).toBe(
      'model,jobs,succeeded,failed,canceled,in_flight,charged_usd,gpu_ms\r\n' +
        "'=cmd|x,3,2,1,0,0,1.234567,9\r\n" +
        '"a,""b""",3,2,1,0,0,1.234567,9\r\n',
    );
  });

  it('of the statement holds every page, also where the rate of the key is used up in between, and says what is archived', async () => {
    const entry = (id: string) => ({
      ...{ object: 'statement_entry', id, kind: 'adjustment', job_id: null, created_at: '2026-01-01T00:00:00.000Z' },
      ...{ amount_micros: -5, balance_delta_micros: -5, balance_after_micros: 12_000_000 },
    });
    let refusals = 0;
    bed.gateway.answer = (request, response) => {
      const cursor = new URL(request.url ?? '', 'http://x').searchParams.get('cursor');
      if (cursor === '2' && refusals++ === 0)
        return answerJson(response, 429, { error: { code: 'rate_limited', message: 'Too many requests.' } });
      const page = Number(cursor ?? '0');
      const next_cursor = page < 3 ? String(page + 1) : null;
      const archived = next_cursor === null && { archived: { through: '2025-12', closing_micros: 7_000_000 } };
      answerJson(response, 200, { data: [entry(`e-${page}`)], has_more: !archived, next_cursor, ...archived });
    };
    const { text, headers } = await browser.get('/admin/v1/customer/statement.csv');
    expect(headers['content-disposition']).toBe('attachment; filename="statement.csv"');
    const [head, ...lines] = text.trim().split('\r\n');
    expect(head).toBe('created_at,kind,amount_usd,balance_delta_usd,balance_after_usd,job_id,id');
    expect(lines.pop()).toBe('2025-12,archived,,,7.000000,,');
    expect(lines.map((line) => line.split(',').at(-1))).toEqual(['e-0', 'e-1', 'e-2', 'e-3']);
    expect(lines[0]).toBe('2026-01-01T00:00:00.000Z,adjustment,-0.000005,-0.000005,12.000000,,e-0');
    expect(refusals).toBe(2);
  });

  it('of the statement of a month holds its lines, and reads no newer and no older page', async () => {
    const entry = (created_at: string) => ({
      ...{ object: 'statement_entry', id: created_at, kind: 'adjustment', cause: 'dispute', job_id: null, created_at },
      ...{ amount_micros: 5, balance_delta_micros: -5, balance_after_micros: 12 },
    });
    const pages = [[], ['2026-02-28'], ['2026-02-01', '2026-01-31'], ['2026-01-01']];
    const read: number[] = [];
    bed.gateway.answer = (request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('cursor') ?? '0');
      read.push(page);
      const data = (pages[page] ?? []).map((day) => entry(`${day}T00:00:00.000Z`));
      answerJson(response, 200, { data, has_more: page < 3, next_cursor: String(page + 1) });
    };
    const { text } = await browser.get('/admin/v1/customer/statement.csv?month=2026-02');
    const [, ...lines] = text.trim().split('\r\n');
    expect(lines.map((line) => line.split(',').slice(0, 2))).toEqual([
      ['2026-02-28T00:00:00.000Z', 'dispute'],
      ['2026-02-01T00:00:00.000Z', 'dispute'],
    ]);
    expect(read).toEqual([1, 2]);
    expect(bed.keys.received).toEqual([
      { subject: 'show_own_month', request: { proved: key.api_key_id, month: '2026-02' } },
    ]);
    expect((await browser.get('/admin/v1/customer/statement.csv?month=feb')).status).toBe(400);
  });

  it('of the spend of keys holds what billing answers', async () => {
    const { text, headers } = await browser.get('/admin/v1/customer/key-spend.csv?days=7');
    expect(headers['content-disposition']).toBe('attachment; filename="key-spend.csv"');
    expect(text).toBe(
      'name,prefix,jobs,charged_usd,revoked_at,id\r\n' +
        'web shop,knr_live_b,3,1.250000,,k-1\r\n' +
        'portal sessions,,1,0.020000,,\r\n',
    );
    expect(bed.keys.received).toEqual([{ subject: 'list_key_spend', request: { proved: key.api_key_id, days: 7 } }]);
  });

  it('that the key may not read is an error and no file', async () => {
    const error = { type: 'permission_error', code: 'scope_required', message: 'This needs the scope account.' };
    bed.gateway.answer = (_request, response) => answerJson(response, 403, { error });
    const answer = await browser.get('/admin/v1/customer/statement.csv');
    expect(answer.status).toBe(403);
    expect(answer.json()).toMatchObject({ error });
    expect(answer.headers).not.toHaveProperty('content-disposition');
  });
});
