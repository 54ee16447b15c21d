import type { Browser } from '../../test/browser.fixtures';
import { ConsoleTestBed } from '../../test/console.fixtures';
import { FakePeople } from '../../test/fake-people.fixtures';
import { CLIENT_ID, CLIENT_SECRET, TestProvider } from '../../test/test-provider.fixtures';

const START = '/admin/v1/oidc/start';

describe('the sign-in of a customer at an identity provider', () => {
  const bed = new ConsoleTestBed();
  const people = new FakePeople();
  let provider: TestProvider;

  beforeAll(async () => {
    provider = await TestProvider.start();
    people.keys = bed.keys;
    const settings = {
      KINORA_SIGN_UP: 'open',
      KINORA_CONSOLE_CUSTOMER_OIDC_ISSUER: provider.issuer,
      KINORA_CONSOLE_CUSTOMER_OIDC_CLIENT_ID: CLIENT_ID,
      KINORA_CONSOLE_CUSTOMER_OIDC_CLIENT_SECRET: CLIENT_SECRET,
    };
    await bed.start(settings, [people.answers()]);
  });
  beforeEach(() => {
    provider.user = { sub: '1', email: 'Owner@people.test', email_verified: true, groups: [] };
    provider.spoil = {};
    people.received.length = 0;
  });
  afterAll(async () => {
    await bed.close();
    await provider.close();
  });

  const authorize = (browser: Browser) => provider.sendBack(browser, START);
  const signIn = async (browser: Browser) => browser.get(await authorize(browser));

  it('opens a session of the user with this subject', async () => {
    const browser = bed.browser();
    const { status, headers } = await signIn(browser);
    expect([status, headers.location]).toEqual([302, '/']);
    expect((await browser.get('/admin/v1/session')).json()).toMatchObject({
      has_oidc: true,
      member: { role: 'owner' },
    });
    const request = { subject: `${provider.issuer} 1`, email: 'owner@people.test' };
    expect(people.received).toEqual([{ subject: 'sign_in_at_provider', request }]);
  });

  it.each<[string, () => void]>([
    ['an address that is not verified', () => (provider.user = { ...provider.user, email_verified: false })],
    ['an address of which nothing is said', () => delete provider.user.email_verified],
    ['a person whom billing refuses', () => (provider.user = { ...provider.user, email: 'eve@people.test' })],
    ['an ID token for another client', () => (provider.spoil = { aud: 'another' })],
    ['an ID token with another nonce', () => (provider.spoil = { nonce: 'another' })],
  ])('refuses %s', async (_, change) => {
    change();
    const browser = bed.browser();
    expect((await signIn(browser)).json()).toMatchObject({ error: { code: 'sign_in_refused' } });
    expect((await browser.get('/admin/v1/session')).json()).toMatchObject({ kind: null });
  });

  it('belongs to the browser that began it, works once, and redirects nowhere else', async () => {
    const [victim, attacker] = [bed.browser(), bed.browser()];
    expect((await victim.get(await authorize(attacker))).status).toBe(401);
    const own = await authorize(victim);
    const { headers } = await victim.get(`${own}&redirect_uri=https://evil.example&next=//evil.example`);
    expect(headers.location ?? '/').toBe('/');
    expect((await bed.browser().get(own)).status).toBe(401);
  });
});
