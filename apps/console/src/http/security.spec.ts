import { PERMISSION_OF_ROUTE } from '../customer/members/permissions';
import type { Browser } from '../../test/browser.fixtures';
import { useConsole } from '../../test/console.fixtures';
import { operatorBrowser } from '../../test/operator.fixtures';
import { CONTENT_SECURITY_POLICY } from './security-headers';

const ID = '018f0000-0000-7000-8000-000000000001';
const OPEN = [
  'GET /admin/v1/session',
  'POST /admin/v1/session',
  'POST /admin/v1/session/portal',
  'POST /admin/v1/session/password',
  'POST /admin/v1/links',
  'POST /admin/v1/links/show',
  'POST /admin/v1/links/use',
];
/** The routes of customers, of which the spec of their permissions finds that none is missing. */
const CUSTOMER_ROUTES = Object.keys(PERMISSION_OF_ROUTE).map((route) =>
  route.replace(/ (?!\/admin\/|\/media\/)/, ' /admin/v1/customer').replace(/:\w+|\{id\}/g, ID),
);
const PROTECTED = [
  ...CUSTOMER_ROUTES,
  // Paths that do not exist are no exception: the answer says nothing about what exists.
  'GET /admin/v1/customer/nothing',
  'GET /admin/v1/nothing',
  'PUT /admin/v1/customer/account',
  'GET /admin/v1/operator/accounts',
  'POST /admin/v1/operator/accounts',
  'GET /admin/v1/operator',
];
const ROUTES = PROTECTED.map((route) => route.split(' ') as [string, string]);
const OPERATORS = ROUTES.filter(([, path]) => path.startsWith('/admin/v1/operator'));
const CUSTOMERS = ROUTES.filter(([, path]) => !path.startsWith('/admin/v1/operator'));
const WRITES = CUSTOMERS.filter(([method]) => method !== 'GET');

const bed = useConsole();
let operator: Browser;

beforeAll(async () => {
  ({ browser: operator } = await operatorBrowser(bed, 'owner'));
});

describe('every route', () => {
  it.each(ROUTES)('needs a session: %s %s', async (method, path) => {
    const stranger = bed.browser();
    expect((await stranger.send(path, { method })).status).toBe(401);
    stranger.cookies.set('kinora-session', 'A'.repeat(43));
    stranger.cookies.set('kinora-operator', 'A'.repeat(43));
    stranger.csrfToken = 'A'.repeat(43);
    const answer = await stranger.send(path, { method });
    expect(answer.status).toBe(401);
    expect(answer.json()).toMatchObject({ error: { code: 'not_signed_in' } });
  });

  it.each(ROUTES)('takes no session that was signed out: %s %s', async (method, path) => {
    const browser = await bed.signedIn();
    const cookie = browser.cookies.get('kinora-session') ?? '';
    await browser.delete('/admin/v1/session');
    browser.cookies.set('kinora-session', cookie);
    bed.gateway.seen.length = 0;
    expect((await browser.send(path, { method })).status).toBe(401);
    expect(bed.gateway.seen).toEqual([]);
  });

  it.each(OPERATORS)('of operators takes no session of a customer, under any cookie: %s %s', async (method, path) => {
    const browser = await bed.signedIn();
    browser.cookies.set('kinora-operator', browser.cookies.get('kinora-session') ?? '');
    expect((await browser.send(path, { method })).status).toBe(401);
  });

  it.each(CUSTOMERS)('of customers takes no session of an operator, under any cookie: %s %s', async (method, path) => {
    const browser = bed.browser();
    for (const name of ['kinora-operator', 'kinora-session'])
      browser.cookies.set(name, operator.cookies.get('kinora-operator') ?? '');
    browser.csrfToken = operator.csrfToken;
    bed.gateway.seen.length = 0;
    expect((await browser.send(path, { method })).status).toBe(401);
    expect(bed.gateway.seen).toEqual([]);
  });

  it.each(WRITES)('that changes something needs the token of its session: %s %s', async (method, path) => {
    const [browser, other] = [await bed.signedIn(), await bed.signedIn()];
    bed.gateway.seen.length = 0;
    for (const token of [null, '', 'x', other.csrfToken]) {
      browser.csrfToken = token;
      const answer = await browser.send(path, { method });
      expect(answer.status).toBe(403);
      expect(answer.json()).toMatchObject({ error: { code: 'cross_site', param: 'X-CSRF-Token' } });
    }
    expect(bed.gateway.seen).toEqual([]);
  });

  it.each([...WRITES, ...OPEN.slice(1).map((route) => route.split(' ') as [string, string])])(
    'that changes something refuses pages of other origins: %s %s',
    async (method, path) => {
      const browser = await bed.signedIn();
      for (const headers of [
        { origin: 'http://evil.test' },
        { origin: 'http://console.test.evil.test' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ] as Record<string, string>[]) {
        const answer = await browser.send(path, { method, headers });
        expect(answer.status).toBe(403);
        expect(answer.json()).toMatchObject({ error: { code: 'cross_site' } });
      }
    },
  );

  it('is found although its path is written differently, and is protected then as well', async () => {
    const stranger = bed.browser();
    const tricks = ['/%61dmin/v1/sessions', '/admin/v1/%63ustomer/account', '/%6dedia/x/0', '//admin/v1/sessions'];
    for (const path of [...tricks, '/admin/v1/sessions/', '/admin/v1/session%2f', '/ADMIN/v1/sessions']) {
      const { status, headers } = await stranger.get(path);
      // A page of the customer holds nothing.
      if (status === 200) expect(headers['content-type']).toBe('text/html; charset=utf-8');
      else expect([401, 404]).toContain(status);
    }
  });
});

describe('every answer', () => {
  it.each([
    '/',
    '/jobs',
    '/operator',
    '/operator/accounts',
    '/assets/app-1a2b.js',
    '/assets/missing.js',
    '/admin/v1/session',
    '/admin/v1/sessions',
    '/media/x/0',
  ])('has the policy that keeps other origins out: %s', async (path) => {
    const { headers } = await bed.browser().get(path);
    expect(headers).toMatchObject({
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers).not.toHaveProperty('location');
  });

  it('is not kept by browsers, unless it is a file with a hash in its name', async () => {
    const cacheOf = async (path: string) => (await bed.browser().get(path)).headers['cache-control'];
    expect(await cacheOf('/admin/v1/session')).toBe('no-store');
    expect(await cacheOf('/admin/v1/customer/account')).toBe('no-store');
    expect(await cacheOf('/')).toBe('no-cache');
    expect(await cacheOf('/assets/app-1a2b.js')).toBe('public, max-age=31536000, immutable');
  });
});

describe('pages', () => {
  it('are the customer page everywhere, and the operator page below /operator', async () => {
    for (const path of ['/', '/jobs/1', '/portal', '/operators'])
      expect((await bed.browser().get(path)).text).toContain('Customer');
    for (const path of ['/operator', '/operator/jobs'])
      expect((await bed.browser().get(path)).text).toContain('Operator');
  });

  it.each([
    '/../package.json',
    '/..%2f..%2fpackage.json',
    '/assets/../index.html',
    '/assets/%2e%2e/%2e%2e/package.json',
    '//evil.test/',
    '/\\evil.test',
  ])('come from the built folder only, and never redirect: %s', async (path) => {
    const { status, text, headers } = await bed.browser().get(path);
    expect(text).not.toContain('"dependencies"');
    expect([200, 404]).toContain(status);
    expect(headers).not.toHaveProperty('location');
  });

  it('are answered to HEAD with their headers and without a body', async () => {
    for (const path of ['/', '/operator', '/assets/app-1a2b.js']) {
      const { status, text, headers } = await bed.browser().send(path, { method: 'HEAD' });
      expect([status, text]).toEqual([200, '']);
      const { headers: ofGet } = await bed.browser().get(path);
      expect(headers).toMatchObject({ 'content-length': ofGet['content-length'], etag: ofGet['etag'] });
    }
    expect((await bed.browser().send('/admin/v1/customer/account', { method: 'HEAD' })).status).toBe(401);
    expect((await bed.browser().send('/assets/missing.js', { method: 'HEAD' })).status).toBe(404);
  });

  it('are compressed for browsers that can read it', async () => {
    const { headers } = await bed.browser().get('/assets/app-1a2b.js', { 'accept-encoding': 'gzip, br' });
    expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(Number(headers['content-length'])).toBeLessThan(200);
    expect((await bed.browser().get('/assets/app-1a2b.js')).headers).not.toHaveProperty('content-encoding');
  });

  it.each([
    ['customer', '/', '/operator', '/admin/v1/operator/accounts'],
    ['operator', '/operator', '/', '/admin/v1/session'],
  ])('of the other half do not exist in a process of the role %s', async (role, own, foreignPage, foreignRoute) => {
    const { url } = await bed.startConsole({ KINORA_CONSOLE_ROLE: role });
    expect((await bed.browser(url).get(own)).status).toBe(200);
    expect((await bed.browser(url).get(foreignPage)).status).toBe(404);
    expect((await bed.browser(url).get(foreignRoute)).status).toBe(404);
  });
});
