import { createHash } from 'node:crypto';
import { waitFor } from '@kinora/testing';
import { statement } from '@kinora/database';
import { SessionPruner } from '../background/session-pruner';
import { useConsole } from '../../test/console.fixtures';
import { answerJson } from '../../test/stub-gateway.fixtures';

const FIND_STORED = statement('spec_find_session', 'SELECT * FROM session WHERE account_id = $1');
const EXPIRE = statement(
  'spec_expire_session',
  "UPDATE session SET expires_at = now() - interval '1 second' WHERE account_id = $1",
);
const NO_SESSION = {
  kind: null,
  csrf_token: null,
  account_id: null,
  capabilities: [],
  expires_at: null,
  api_base_url: 'https://api.example.com/v1',
  permissions: [],
  member: null,
  sign_up: 'off',
  has_oidc: false,
};
const API_URL = 'https://api.example.com/';

const bed = useConsole({ KINORA_PUBLIC_URL: API_URL });

beforeEach(() => {
  bed.gateway.answer = (_request, response) => answerJson(response, 200, { object: 'account' });
});

describe('a sign-in with an API key', () => {
  it.each([
    ['read', ['read']],
    ['jobs', ['read', 'jobs']],
    ['account', ['read', 'jobs', 'account']],
  ] as const)('opens a session that may do what a key of the scope %s may do', async (scope, capabilities) => {
    const key = bed.keys.create(scope);
    const browser = bed.browser();
    expect((await browser.get('/admin/v1/session')).json()).toEqual(NO_SESSION);
    const answer = await browser.signIn(key.api_key);
    expect(answer).toMatchObject({ status: 200 });
    const { api_base_url } = NO_SESSION;
    const csrf_token = browser.csrfToken;
    const session = { kind: 'customer', csrf_token, account_id: key.account_id, capabilities, api_base_url };
    expect(answer.json()).toMatchObject(session);
    expect((await browser.get('/admin/v1/session')).json()).toMatchObject(session);
  });

  it('lasts 12 hours, and no longer than its key', async () => {
    const ends = async (expires_at: string | null): Promise<number> => {
      const browser = await bed.signedIn(bed.keys.create('read', undefined, expires_at));
      return (
        Date.parse((await browser.get('/admin/v1/session')).json<{ expires_at: string }>().expires_at) - Date.now()
      );
    };
    const hour = 3_600_000;
    expect(await ends(null)).toBeGreaterThan(11.9 * hour);
    expect(await ends(null)).toBeLessThanOrEqual(12 * hour);
    expect(await ends(new Date(Date.now() + hour).toISOString())).toBeLessThanOrEqual(hour);
  });

  it('sets a cookie that scripts cannot read, and that other sites cannot send with a write', async () => {
    const [cookie] = (await bed.browser().signIn(bed.keys.create().api_key)).headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^kinora-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43[12]\d\d$/);
  });

  it('stores neither the cookie nor the key in a form that opens anything', async () => {
    const key = bed.keys.create();
    const browser = await bed.signedIn(key);
    const rows = await bed.database.database.query(FIND_STORED, [key.account_id]);
    const stored =
      JSON.stringify(rows) + JSON.stringify(rows.map((row) => (row.credential as Buffer).toString('latin1')));
    expect(rows).toHaveLength(1);
    expect(stored).not.toContain(key.api_key);
    expect(stored).not.toContain(browser.cookies.get('kinora-session'));
    expect(JSON.stringify(bed.log.lines)).not.toContain(key.api_key);
    expect(JSON.stringify(bed.log.lines)).not.toContain(browser.cookies.get('kinora-session'));
  });

  it('gets the same answer for every wrong key, after the same time', async () => {
    const { api_key } = bed.keys.create();
    const refused = bed.keys.create();
    bed.gateway.answer = (_request, response) => answerJson(response, 401, { error: {} });
    const wrong = ['x', 'knr_live_', `${api_key.slice(0, -1)}x`, refused.api_key];
    for (const key of wrong) {
      const startedAtMs = bed.clock.nowMs();
      const answer = await bed.browser().signIn(key);
      expect(bed.clock.nowMs() - startedAtMs).toBe(1_000);
      expect(answer.status).toBe(401);
      expect(answer.headers['set-cookie']).toBeUndefined();
      const { error } = answer.json<{ error: { request_id?: string } }>();
      delete error.request_id;
      expect(error).toEqual({
        type: 'authentication_error',
        code: 'sign_in_refused',
        message: 'The API key is not valid.',
      });
    }
  });

  it('does not send a key to the gateway that billing does not know', async () => {
    const { api_key } = bed.keys.create();
    bed.gateway.seen.length = 0;
    await bed.browser().signIn('knr_live_00000000000000000000000000000000000000');
    expect(bed.gateway.seen).toEqual([]);
    await bed.browser().signIn(api_key);
    expect(bed.gateway.seen).toMatchObject([{ url: '/v1/account', headers: { authorization: `Bearer ${api_key}` } }]);
  });

  it('is 503 with Retry-After while the gateway is away', async () => {
    bed.gateway.answer = (request) => void request.socket.destroy();
    const answer = await bed.browser().signIn(bed.keys.create().api_key);
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  });

  it.each([[undefined], [{}], [{ api_key: 5 }], [{ api_key: '' }], [{ api_key: 'x'.repeat(201) }], [[]]])(
    'is refused where the body is %j, with the name of the field',
    async (body) => {
      const answer = await bed.browser().post('/admin/v1/session', body);
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({ error: { code: 'invalid_body', param: 'api_key' } });
    },
  );

  it('replaces the cookie that the browser had, and ends its session', async () => {
    const before = bed.keys.create();
    const browser = await bed.signedIn(before);
    const copy = bed.browser();
    copy.cookies.set('kinora-session', browser.cookies.get('kinora-session') ?? '');
    const after = bed.keys.create();
    await browser.signIn(after.api_key);
    expect(browser.cookies.get('kinora-session')).not.toBe(copy.cookies.get('kinora-session'));
    expect((await browser.get('/admin/v1/session')).json()).toMatchObject({ account_id: after.account_id });
    expect((await copy.get('/admin/v1/session')).json()).toEqual(NO_SESSION);
  });

  it('never uses a cookie value that the browser brought', async () => {
    const browser = bed.browser();
    const planted = 'A'.repeat(43);
    browser.cookies.set('kinora-session', planted);
    await browser.signIn(bed.keys.create().api_key);
    expect(browser.cookies.get('kinora-session')).not.toBe(planted);
    const attacker = bed.browser();
    attacker.cookies.set('kinora-session', planted);
    expect((await attacker.get('/admin/v1/session')).json()).toEqual(NO_SESSION);
  });
});

describe('a session', () => {
  it('ends with its sign-out: a stolen cookie is then worthless', async () => {
    const browser = await bed.signedIn();
    const thief = bed.browser();
    thief.cookies.set('kinora-session', browser.cookies.get('kinora-session') ?? '');
    thief.csrfToken = browser.csrfToken;
    expect((await thief.get('/admin/v1/customer/account')).status).toBe(200);
    expect((await browser.delete('/admin/v1/session')).json()).toEqual(NO_SESSION);
    expect(browser.cookies.size).toBe(0);
    expect((await thief.get('/admin/v1/customer/account')).status).toBe(401);
    expect((await thief.delete('/admin/v1/session')).status).toBe(401);
  });

  it('ends at its time, and its row is deleted', async () => {
    const key = bed.keys.create();
    const browser = await bed.signedIn(key);
    await bed.database.database.execute(EXPIRE, [key.account_id]);
    expect((await browser.get('/admin/v1/customer/account')).status).toBe(401);
    await bed.app.get(SessionPruner).prunePage();
    expect(await bed.database.database.query(FIND_STORED, [key.account_id])).toEqual([]);
  });

  it('is seen by the other sessions of its key, which can end it', async () => {
    const key = bed.keys.create('read');
    const [one, other] = [await bed.signedIn(key), await bed.signedIn(key)];
    await bed.signedIn(bed.keys.create('read', key.account_id));
    type List = { data: { id: string; is_current: boolean }[] };
    const { data } = (await one.get('/admin/v1/sessions')).json<List>();
    expect(data.map(({ is_current }) => is_current).sort()).toEqual([false, true]);
    const foreign = data.find(({ is_current }) => !is_current)?.id ?? '';
    expect((await one.delete(`/admin/v1/sessions/${foreign}`)).json()).toEqual({ id: foreign, ended: true });
    expect((await one.delete(`/admin/v1/sessions/${foreign}`)).status).toBe(404);
    expect((await other.get('/admin/v1/customer/account')).status).toBe(401);
  });

  it('of the scope account sees every session of its account, and none of another one', async () => {
    const key = bed.keys.create('account');
    const browser = await bed.signedIn(key);
    const foreign = await bed.signedIn();
    await bed.signedIn(bed.keys.create('read', key.account_id));
    type List = { data: { id: string }[] };
    expect((await browser.get('/admin/v1/sessions')).json<List>().data).toHaveLength(2);
    const [theirs] = (await foreign.get('/admin/v1/sessions')).json<List>().data;
    expect((await browser.delete(`/admin/v1/sessions/${theirs?.id}`)).status).toBe(404);
    expect((await foreign.get('/admin/v1/sessions')).status).toBe(200);
  });

  it('whose key is revoked reads nothing more of the account, and ends no other session', async () => {
    const { token, key } = bed.keys.createLink('account');
    const revoked = bed.browser();
    const opened = await revoked.post('/admin/v1/session/portal', { token });
    revoked.csrfToken = opened.json<{ csrf_token: string }>().csrf_token;
    const other = await bed.signedIn(bed.keys.create('account', key.account_id));
    type List = { data: { id: string; is_current: boolean }[] };
    const sessions = (await other.get('/admin/v1/sessions')).json<List>().data;
    const { id } = sessions.find(({ is_current }) => is_current) ?? {};
    expect((await revoked.get('/admin/v1/customer/requests')).status).toBe(200);
    bed.keys.revoke(createHash('sha256').update(key.api_key).digest('hex'));
    for (const path of ['/admin/v1/customer/requests', '/admin/v1/sessions'])
      expect((await revoked.get(path)).status).toBe(401);
    expect((await revoked.delete(`/admin/v1/sessions/${id}`)).status).toBe(401);
    expect((await other.get('/admin/v1/sessions')).json<List>().data).toHaveLength(2);
  });

  it('is found by every process', async () => {
    const second = await bed.startConsole();
    const browser = await bed.signedIn();
    const there = bed.browser(second.url);
    there.cookies.set('kinora-session', browser.cookies.get('kinora-session') ?? '');
    expect((await there.get('/admin/v1/session')).json()).toMatchObject({ kind: 'customer' });
    await browser.delete('/admin/v1/session');
    await waitFor(async () => (await there.get('/admin/v1/session')).json().kind === null);
    expect((await there.get('/admin/v1/customer/account')).status).toBe(401);
  });
});

describe('with https', () => {
  it('the cookie is bound to the host and to https', async () => {
    const { url } = await bed.startConsole({ KINORA_CONSOLE_URL: 'https://console.test' });
    const answer = await bed
      .browser(url)
      .post('/admin/v1/session', { api_key: bed.keys.create().api_key }, { origin: 'https://console.test' });
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^__Host-kinora-session=[\w-]{43}; Path=\/; .*; Secure$/);
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
  });
});

describe('the limit of sign-ins', () => {
  it('holds for an address, and for a key from any address', async () => {
    const { url } = await bed.startConsole({
      KINORA_CONSOLE_SIGN_INS_RPM: '3',
      KINORA_CONSOLE_TRUSTED_PROXIES: '127.0.0.1',
    });
    const { api_key } = bed.keys.create();
    const signInFrom = (address: string, key: string) =>
      bed.browser(url).post('/admin/v1/session', { api_key: key }, { 'x-forwarded-for': address });
    for (let index = 0; index < 3; index++)
      expect((await signInFrom('192.0.2.1', bed.keys.create().api_key)).status).toBe(200);
    // Some proxies add the port of the connection.
    const refused = await signInFrom('192.0.2.1:4711', bed.keys.create().api_key);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    for (let index = 0; index < 3; index++) expect((await signInFrom(`198.51.100.${index}`, api_key)).status).toBe(200);
    expect((await signInFrom('203.0.113.9', api_key)).status).toBe(429);
  });
});
