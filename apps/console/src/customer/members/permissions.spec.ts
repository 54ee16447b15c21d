import { v7 as uuidv7 } from 'uuid';
import { MEMBER_ROLES, type MemberRole } from '@kinora/contracts/billing/users.rpc';
import type { Browser } from '../../../test/browser.fixtures';
import { useConsole } from '../../../test/console.fixtures';
import { FakePeople, memberBrowser } from '../../../test/fake-people.fixtures';
import { routesOf } from '../../../test/routes.fixtures';
import { answerJson } from '../../../test/stub-gateway.fixtures';
import { ConsoleConfig } from '../../console.config';
import { derivePassword } from '../../session/password';
import { CustomerModule } from '../customer.module';
import { FORWARDED_PREFIX, FORWARDED_ROUTES } from '../forwarding/forwarded-routes';
import { mayUse, PERMISSION_OF_ROUTE, PERMISSIONS_OF_ROLE } from './permissions';

const SALT = 'scrypt$2$1$1$c2FsdHNhbHRzYWx0c2E';
const PASSWORD = 'a password of many words';

const OWN = (CustomerModule.forConfig(new ConsoleConfig()).controllers ?? [])
  .flatMap(routesOf)
  .filter(({ url, access }) => access.session !== 'open' && !url.endsWith('/*'))
  .map(({ method, url, path }) => ({ route: `${method} ${url}`, method, path }));
const FORWARDED = FORWARDED_ROUTES.map(({ method, path }) => ({
  route: `${method} ${path}`,
  method,
  path: `${FORWARDED_PREFIX}${path.replace('{id}', uuidv7())}`,
}));
const ROUTES = [...OWN, ...FORWARDED];

describe('the routes of customers', () => {
  const people = new FakePeople();
  const bed = useConsole({ KINORA_SIGN_UP: 'open' }, people.answers());
  const browsers = new Map<MemberRole, Browser>();

  beforeAll(async () => {
    people.keys = bed.keys;
    const list = { object: 'list', data: [], has_more: false, next_cursor: null };
    bed.gateway.answer = (_request, response) => answerJson(response, 200, list);
    people.rightPassword = (await derivePassword(PASSWORD, SALT)).derived;
    for (const role of MEMBER_ROLES) browsers.set(role, await memberBrowser(bed, role, PASSWORD));
  });

  async function statusOf(browser: Browser, { method, path }: (typeof ROUTES)[number]): Promise<[number, string]> {
    const body = method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {};
    const answer = await browser.send(path, { method, ...body });
    const { error } = JSON.parse(answer.text.startsWith('{') ? answer.text : '{}') as { error?: { code: string } };
    return [answer.status, error?.code ?? ''];
  }

  it('are all in the table, and nothing else is', () => {
    expect(ROUTES.map(({ route }) => route).toSorted()).toEqual(Object.keys(PERMISSION_OF_ROUTE).toSorted());
  });

  it.each(MEMBER_ROLES)('let the role %s pass exactly where the table says so', async (role) => {
    const browser = browsers.get(role) as Browser;
    // A sign-out would end the walk.
    for (const each of ROUTES.filter(({ route }) => route !== 'DELETE /admin/v1/session')) {
      const [status, code] = await statusOf(browser, each);
      if (mayUse(role, each.route)) expect([each.route, code]).not.toEqual([each.route, 'role_required']);
      else expect([each.route, status, code]).toEqual([each.route, 403, 'role_required']);
    }
  });

  it('refuse a member who is no owner on a route that is not in the table', async () => {
    const developer = browsers.get('developer') as Browser;
    for (const path of ['nothing', 'account%2fkeys', 'accoun%74', 'account/keys/../keys'])
      expect(await statusOf(developer, { route: '', method: 'GET', path: `${FORWARDED_PREFIX}/${path}` })).toEqual([
        403,
        'role_required',
      ]);
  });

  it('send nothing to the gateway for a refused request', async () => {
    bed.gateway.seen.length = 0;
    const viewer = browsers.get('viewer') as Browser;
    expect((await viewer.post(`${FORWARDED_PREFIX}/images/generations`, { prompt: 'x' })).status).toBe(403);
    expect(bed.gateway.seen).toEqual([]);
  });

  it('show each role what it may do', async () => {
    for (const [role, browser] of browsers)
      expect((await browser.get('/admin/v1/session')).json()).toMatchObject({
        member: { email: `${role}@people.test`, role },
        permissions: PERMISSIONS_OF_ROLE[role],
      });
  });

  it('are not narrowed for a key: its scope decides', async () => {
    const [key, owner] = [await bed.signedIn(), browsers.get('owner') as Browser];
    const { permissions } = (await key.get('/admin/v1/session')).json<{ permissions: string[] }>();
    expect(permissions).toEqual((await owner.get('/admin/v1/session')).json<{ permissions: string[] }>().permissions);
  });

  it('show an own session only, to a member who is no owner', async () => {
    const second = await memberBrowser(bed, 'viewer', PASSWORD);
    type List = { data: { member_email: string | null }[] };
    const emails = (await second.get('/admin/v1/sessions')).json<List>().data.map(({ member_email }) => member_email);
    expect(new Set(emails)).toEqual(new Set(['viewer@people.test']));
    const all = (await (browsers.get('owner') as Browser).get('/admin/v1/sessions')).json<List>().data;
    expect(new Set(all.map(({ member_email }) => member_email)).size).toBeGreaterThan(3);
  });
});
