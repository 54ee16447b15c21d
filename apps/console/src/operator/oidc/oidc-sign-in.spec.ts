import type { Browser } from '../../../test/browser.fixtures';
import { ConsoleTestBed } from '../../../test/console.fixtures';
import { addOperator } from '../../../test/operator.fixtures';
import { CLIENT_ID, CLIENT_SECRET, TestProvider } from '../../../test/test-provider.fixtures';

const SESSION = '/admin/v1/operator/session';
const START = '/admin/v1/operator/oidc/start';

describe('the sign-in at an identity provider', () => {
  const bed = new ConsoleTestBed();
  let provider: TestProvider;

  beforeAll(async () => {
    provider = await TestProvider.start();
    await bed.start({
      KINORA_CONSOLE_OIDC_ISSUER: provider.issuer,
      KINORA_CONSOLE_OIDC_CLIENT_ID: CLIENT_ID,
      KINORA_CONSOLE_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      KINORA_CONSOLE_OIDC_ROLES: 'admins=owner,billing=finance',
    });
  });
  beforeEach(() => {
    provider.user = { sub: '1', email: 'ada@kinora.test', groups: ['users', 'admins'] };
    provider.spoil = {};
    provider.authenticatedSecondsAgo = 0;
  });
  afterAll(async () => {
    await bed.close();
    await provider.close();
  });

  const authorize = (browser: Browser, path = START) => provider.sendBack(browser, path);
  const signIn = async (browser: Browser, path = START) => browser.get(await authorize(browser, path));

  const sessionOf = async (browser: Browser) =>
    (await browser.get(SESSION)).json<{
      kind: string | null;
      user: { role: string } | null;
      confirmed_until: string | null;
    }>();

  it('opens a session with the role of the first group that has one', async () => {
    const browser = bed.browser();
    const { status, headers } = await signIn(browser);
    expect([status, headers.location]).toEqual([302, '/operator']);
    expect(await sessionOf(browser)).toMatchObject({
      kind: 'operator',
      has_oidc: true,
      user: { email: 'ada@kinora.test', role: 'owner' },
    });
    expect(provider.lastTokenRequest?.get('code_verifier')).toMatch(/^[\w-]{43,}$/);
    provider.user.groups = ['billing'];
    await signIn(browser);
    expect(await sessionOf(browser)).toMatchObject({ user: { email: 'ada@kinora.test', role: 'finance' } });
  });

  it.each<[string, () => void]>([
    ['a user without a group that has a role', () => (provider.user = { ...provider.user, groups: ['users'] })],
    ['an address that is not verified', () => (provider.user = { ...provider.user, sub: '2', email_verified: false })],
    ['an ID token for another client', () => (provider.spoil = { aud: 'another' })],
    ['an ID token of another issuer', () => (provider.spoil = { iss: 'https://eve.test' })],
    ['an ID token with another nonce', () => (provider.spoil = { nonce: 'another' })],
    ['an expired ID token', () => (provider.spoil = { iat: 1, exp: 2 })],
  ])('refuses %s', async (_, change) => {
    change();
    const browser = bed.browser();
    expect((await signIn(browser)).json()).toMatchObject({ error: { code: 'sign_in_refused' } });
    expect(await sessionOf(browser)).toMatchObject({ kind: null });
  });

  it('refuses an answer that another browser has begun, another state, and a second use', async () => {
    const [victim, attacker] = [bed.browser(), bed.browser()];
    const path = await authorize(attacker);
    expect((await victim.get(path)).status).toBe(401);
    expect((await attacker.get(path.replace(/state=[^&]+/, 'state=another'))).status).toBe(401);
    const own = await authorize(victim);
    expect((await victim.get(own)).status).toBe(302);
    expect((await bed.browser().get(own)).status).toBe(401);
  });

  it('does not take over a local user with the same address', async () => {
    const email = await addOperator(bed, 'owner');
    provider.user = { sub: 'eve', email, groups: ['admins'] };
    expect((await signIn(bed.browser())).status).toBe(401);
  });

  it('confirms with a password that was typed just now, and not with an older one', async () => {
    const browser = bed.browser();
    await signIn(browser);
    expect((await sessionOf(browser)).confirmed_until).toBeNull();
    provider.authenticatedSecondsAgo = 3_600;
    expect((await signIn(browser, `${START}?confirm=1`)).status).toBe(401);
    provider.authenticatedSecondsAgo = 0;
    expect((await signIn(browser, `${START}?confirm=1`)).status).toBe(302);
    expect((await sessionOf(browser)).confirmed_until).not.toBeNull();
  });
});

describe('without an identity provider', () => {
  it('there is no such endpoint, and one that is away is answered 503', async () => {
    const bed = new ConsoleTestBed();
    await bed.start();
    expect((await bed.browser().get(START)).status).toBe(404);
    const { url } = await bed.startConsole({
      KINORA_CONSOLE_OIDC_ISSUER: 'http://127.0.0.1:9',
      KINORA_CONSOLE_OIDC_CLIENT_ID: CLIENT_ID,
      KINORA_CONSOLE_OIDC_CLIENT_SECRET: CLIENT_SECRET,
    });
    const { status, headers } = await bed.browser(url).get(START);
    expect([status, headers['retry-after'] !== undefined]).toEqual([503, true]);
    await bed.close();
  });
});
