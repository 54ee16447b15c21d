import { createHash, randomBytes } from 'node:crypto';
import { useConsole } from '../../test/console.fixtures';
import { FakePeople, memberBrowser } from '../../test/fake-people.fixtures';
import { derivePassword } from '../session/password';

const SALT = 'scrypt$2$1$1$c2FsdHNhbHRzYWx0c2E';
const PASSWORD = 'a password of many words';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const people = new FakePeople();
const bed = useConsole({ KINORA_SIGN_UP: 'open', KINORA_CONSOLE_TRUSTED_PROXIES: '127.0.0.1' }, people.answers());

beforeAll(async () => {
  people.keys = bed.keys;
  people.rightPassword = (await derivePassword(PASSWORD, SALT)).derived;
});
beforeEach(() => {
  people.received.length = 0;
  people.isOpen = true;
});

const signIn = (email: string, password: string, headers = {}, url = bed.url) =>
  bed.browser(url).post('/admin/v1/session/password', { email, password }, headers);
const request = (email: string, purpose = 'sign_up', headers = {}) =>
  bed.browser().post('/admin/v1/links', { purpose, email }, headers);

/** Without what differs between any two answers. */
const withoutId = (text: string) => text.replace(/req_\w+/, 'req');

describe('a sign-in by e-mail', () => {
  it('opens a session of the member, and its sign-out revokes its key', async () => {
    const browser = await memberBrowser(bed, 'owner', PASSWORD);
    expect((await browser.get('/admin/v1/customer/account')).status).toBe(200);
    const key = bed.gateway.seen.at(-1)?.headers.authorization?.slice('Bearer '.length) ?? '';
    expect(bed.keys.find(sha256(key))).toMatchObject({ account_id: people.account_id });
    await browser.delete('/admin/v1/session');
    expect(() => bed.keys.find(sha256(key))).toThrow('not valid');
  });

  it('of an unknown address has the answer, the time and the work of a wrong password', async () => {
    const answers = [];
    for (const email of ['owner@people.test', 'unknown@people.test']) {
      const startedAtMs = bed.clock.nowMs();
      const { status, text } = await signIn(email, 'the wrong words of it');
      answers.push({ status, text: withoutId(text), ms: bed.clock.nowMs() - startedAtMs });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ status: 401, ms: 1_000 });
    // Both were derived.
    const derived = people.received
      .filter(({ subject }) => subject === 'sign_in_user')
      .map(({ request: sent }) => sent);
    expect(derived).toEqual([
      { email: 'owner@people.test', derived: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { email: 'unknown@people.test', derived: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  it('sends billing no password', async () => {
    await signIn('owner@people.test', PASSWORD);
    expect(people.received).toHaveLength(2);
    expect(JSON.stringify(people.received)).not.toContain(PASSWORD);
  });

  it('is limited by address and by e-mail', async () => {
    const { url } = await bed.startConsole({
      KINORA_CONSOLE_SIGN_INS_RPM: '3',
      KINORA_CONSOLE_TRUSTED_PROXIES: '127.0.0.1',
    });
    const from = (address: string, email: string) =>
      signIn(email, 'the wrong words of it', { 'x-forwarded-for': address }, url);
    // One address, many people.
    for (let index = 0; index < 3; index++) expect((await from('192.0.2.1', `p${index}@x.test`)).status).toBe(401);
    expect((await from('192.0.2.1', 'p9@x.test')).status).toBe(429);
    // Many addresses, one person, known or not.
    for (const email of ['owner@people.test', 'unknown@people.test']) {
      for (let index = 0; index < 3; index++) expect((await from(`198.51.100.${index}`, email)).status).toBe(401);
      bed.clock.advance(20_000);
      const last = await from('203.0.113.9', email);
      expect(last.status).toBe(401);
      expect((await from('203.0.113.10', email)).status).toBe(429);
    }
  });

  it('is possible in a browser that signed in before, while others try the address', async () => {
    const { url } = await bed.startConsole({
      KINORA_CONSOLE_SIGN_INS_RPM: '3',
      KINORA_CONSOLE_TRUSTED_PROXIES: '127.0.0.1',
    });
    const email = 'owner@people.test';
    const [known, forged] = [bed.browser(url), bed.browser(url)];
    const from = async (address: string, password: string, browser = bed.browser(url)) => {
      const headers = { 'x-forwarded-for': address };
      return (await browser.post('/admin/v1/session/password', { email, password }, headers)).status;
    };
    expect(await from('192.0.2.20', PASSWORD, known)).toBe(200);
    for (const [address, status] of [
      ['198.51.100.1', 401],
      ['198.51.100.2', 401],
      ['198.51.100.3', 429],
    ] as const)
      expect(await from(address, 'the wrong words of it')).toBe(status);
    forged.cookies.set('kinora-known-customer', randomBytes(32).toString('base64url'));
    expect(await from('192.0.2.21', PASSWORD, forged)).toBe(429);
    expect(await from('192.0.2.20', PASSWORD, known)).toBe(200);
    // Of a stolen cookie, too, only as many attempts.
    for (const status of [401, 401, 401, 429])
      expect(await from('192.0.2.22', 'the wrong words of it', known)).toBe(status);
  });
});

describe('a link', () => {
  it('is asked for with one answer after one time', async () => {
    const answers = [];
    for (const email of ['owner@people.test', 'unknown@people.test']) {
      const startedAtMs = bed.clock.nowMs();
      const { status, text } = await request(email);
      answers.push({ status, text, ms: bed.clock.nowMs() - startedAtMs });
    }
    expect(answers).toEqual([1, 2].map(() => ({ status: 200, text: '{"requested":true}', ms: 1_000 })));
  });

  it('is asked for with the address alone, whatever host a request names', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    expect((await request('ada@example.com', 'sign_up', headers)).status).toBe(200);
    expect(people.received).toEqual([
      { subject: 'request_user_link', request: { purpose: 'sign_up', email: 'ada@example.com' } },
    ]);
  });

  it('is asked for a few times a minute by one address, whatever its e-mails', async () => {
    const { url } = await bed.startConsole({ KINORA_SIGN_UP: 'open', KINORA_CONSOLE_SIGN_INS_RPM: '3' });
    const ask = (index: number) =>
      bed.browser(url).post('/admin/v1/links', { purpose: 'sign_up', email: `p${index}@p${index}.test` });
    const statuses: number[] = [];
    for (let index = 0; index < 5; index++) statuses.push((await ask(index)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(people.received).toHaveLength(3);
  });

  it('is not sent where sign-up is not open', async () => {
    people.isOpen = false;
    expect((await request('ada@example.com')).status).toBe(404);
  });

  it('signs in once', async () => {
    people.links.set(sha256('a-token'), 'owner');
    const browser = bed.browser();
    const shown = await browser.post('/admin/v1/links/show', { token: 'a-token' });
    expect(shown.json()).toEqual({ purpose: 'sign_up', email: 'new@people.test', role: null, has_password: false });
    const use = { token: 'a-token', password: 'a password of words', account_name: 'Ada Ltd' };
    const answer = await browser.post('/admin/v1/links/use', use);
    expect(answer.json()).toMatchObject({ kind: 'customer', member: { role: 'owner' } });
    expect((await bed.browser().post('/admin/v1/links/use', use)).status).toBe(401);
    expect(people.received.at(-1)?.request).toMatchObject({ token_sha256: sha256('a-token') });
    expect(JSON.stringify(people.received)).not.toMatch(/a-token|a password of words/);
  });

  it('is refused with a short password, and stays unused', async () => {
    people.links.set(sha256('b-token'), 'owner');
    const answer = await bed.browser().post('/admin/v1/links/use', { token: 'b-token', password: 'short' });
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { param: 'password' } }]);
    expect(people.links.has(sha256('b-token'))).toBe(true);
  });

  it('and its password stand in no log line', async () => {
    people.links.set(sha256('c-token-of-a-link'), 'owner');
    await bed.browser().post('/admin/v1/links/use', { token: 'c-token-of-a-link', password: 'a password to log' });
    const lines = JSON.stringify(bed.log.lines);
    expect(lines).toContain('/admin/v1/links/use');
    expect(lines).not.toMatch(/c-token-of-a-link|a password to log/);
  });
});

describe('every open write', () => {
  it.each(['session/password', 'links', 'links/show', 'links/use'])(
    'is refused from another origin: %s',
    async (path) => {
      const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      const answer = await bed.browser().post(`/admin/v1/${path}`, {}, headers);
      expect([answer.status, answer.json()]).toMatchObject([403, { error: { code: 'cross_site' } }]);
    },
  );
});

describe('an account of several', () => {
  it('is opened in a new session with its role, and the former key ends', async () => {
    const browser = await memberBrowser(bed, 'viewer', PASSWORD);
    await browser.get('/admin/v1/customer/account');
    const former = bed.gateway.seen.at(-1)?.headers.authorization?.slice('Bearer '.length) ?? '';
    people.received.length = 0;
    expect((await browser.post('/admin/v1/customer/accounts/switch', { account_id: 'another' })).status).toBe(404);
    const { account_id } = people;
    const answer = await browser.post('/admin/v1/customer/accounts/switch', { account_id });
    expect(answer.json()).toMatchObject({ account_id, member: { role: 'billing' } });
    expect(people.received.at(-1)).toMatchObject({ subject: 'switchAccount', request: { account_id } });
    expect((await browser.get('/admin/v1/session')).json()).toMatchObject({ member: { role: 'billing' } });
    expect(() => bed.keys.find(sha256(former))).toThrow('not valid');
  });
});

describe('members', () => {
  it('are changed with the key of the session', async () => {
    const browser = await memberBrowser(bed, 'owner', PASSWORD);
    people.received.length = 0;
    await browser.post('/admin/v1/customer/members', { email: 'Bob@example.com', role: 'developer', account_id: 'x' });
    await browser.post('/admin/v1/customer/members/role', { user_id: 'u', role: 'viewer' });
    const [invited, changed] = people.received;
    expect(invited).toEqual({
      subject: 'invite',
      request: { proved: expect.any(String), email: 'bob@example.com', role: 'developer' },
    });
    expect(changed?.request).toMatchObject({ user_id: 'u', role: 'viewer' });
    const refused = await browser.post('/admin/v1/customer/members', { email: 'bob@example.com', role: 'root' });
    expect([refused.status, refused.json()]).toMatchObject([400, { error: { param: 'role' } }]);
  });
});
