import type { Type } from '@nestjs/common';
import { fastify } from 'fastify';
import type { Browser } from '../../test/browser.fixtures';
import { useConsole } from '../../test/console.fixtures';
import { operatorBrowser } from '../../test/operator.fixtures';
import { routesOf, type ServedRoute } from '../../test/routes.fixtures';
import { OperatorModule } from './operator.module';
import { requirePermissions } from './users/operator.hook';
import { PERMISSIONS_OF_ROLE, ROLES, type Permission, type Role } from './users/permissions';

const ROUTES = (Reflect.getMetadata('controllers', OperatorModule) as Type[]).flatMap(routesOf);
const CLOSED = ROUTES.filter(({ access }) => access.session !== 'open');

const AN_ID = '018f0000-0000-7000-8000-000000000001';

describe('the routes of operators', () => {
  const bed = useConsole();
  const browsers = new Map<Role, Browser>();

  beforeAll(async () => {
    for (const role of ROLES) browsers.set(role, (await operatorBrowser(bed, role)).browser);
  });

  /** The path, the status and the code of each answer. */
  async function walk(browser: Browser, routes = CLOSED): Promise<{ route: string; status: number; code: string }[]> {
    const answers: { route: string; status: number; code: string }[] = [];
    for (const { method, path } of routes) {
      const body =
        method === 'GET' || method === 'DELETE' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
      const answer = await browser.send(path, { method, ...body });
      const { error } = JSON.parse(answer.text || '{}') as { error?: { code: string } };
      answers.push({ route: `${method} ${path}`, status: answer.status, code: error?.code ?? '' });
    }
    return answers;
  }

  it('are all of the console', () => {
    expect(CLOSED.length).toBeGreaterThan(30);
    expect(ROUTES.filter(({ access }) => access.session === 'open').map(({ path }) => path)).toEqual([
      '/admin/v1/operator/session',
      '/admin/v1/operator/session',
      '/admin/v1/operator/setup',
      '/admin/v1/operator/oidc/start',
      '/admin/v1/operator/oidc/callback',
    ]);
  });

  it('answer 401 without a session, and with every session of a customer', async () => {
    const customer = await bed.signedIn();
    const renamed = bed.browser();
    for (const [, value] of customer.cookies) renamed.cookies.set('kinora-operator', value);
    renamed.csrfToken = customer.csrfToken;
    for (const browser of [bed.browser(), customer, renamed])
      for (const answer of await walk(browser)) expect(answer).toMatchObject({ status: 401, code: 'not_signed_in' });
  });

  it.each(ROLES)('let the role %s pass exactly where the table says so', async (role) => {
    const browser = browsers.get(role) as Browser;
    const may = ({ access }: ServedRoute) => PERMISSIONS_OF_ROLE[role].has(access.permission as Permission);
    // A sign-out would end the walk.
    const routes = CLOSED.filter(({ method, path }) => !(method === 'DELETE' && path.endsWith('/session')));
    const refused = routes.filter((route) => !may(route));
    for (const answer of await walk(browser, refused))
      expect(answer).toMatchObject({ status: 403, code: 'role_required' });
    const sensitive = routes.filter((route) => may(route) && route.access.isConfirmed === true);
    for (const answer of await walk(browser, sensitive))
      expect(answer).toMatchObject({ status: 403, code: 'confirmation_required' });
    const others = routes.filter((route) => may(route) && !sensitive.includes(route));
    for (const answer of await walk(browser, others)) expect([401, 403, 500]).not.toContain(answer.status);
  });

  it('refuse a write without the token of the session', async () => {
    const { browser } = await operatorBrowser(bed, 'owner');
    browser.csrfToken = null;
    const writes = CLOSED.filter(({ method }) => method !== 'GET');
    for (const answer of await walk(browser, writes)) expect(answer).toMatchObject({ status: 403, code: 'cross_site' });
  });

  it.each([
    'accounts?limit=0',
    `accounts/${AN_ID}/payments?cursor=zz`,
    `accounts/${AN_ID}/statement?cursor=zz`,
    `accounts/${AN_ID}/requests?limit=0`,
    'requests?status=9',
    'audit?cursor=zz',
    'audit?user_id=x',
    'jobs?model=a&model=b',
  ])('name a refused parameter of the query as such: %s', async (path) => {
    const { status, json } = await (browsers.get('owner') as Browser).get(`/admin/v1/operator/${path}`);
    const param = /\?(\w+)=/.exec(path)?.[1];
    expect([status, json()]).toMatchObject([400, { error: { code: 'invalid_query', param } }]);
  });

  it('answer an id that is none like an unknown one', async () => {
    const { status, json } = await (browsers.get('owner') as Browser).get('/admin/v1/operator/accounts/zz');
    expect([status, json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
  });

  it('end the start of the program where one declares no permission', () => {
    const server = fastify();
    requirePermissions(server);
    expect(() => server.get('/admin/v1/operator/secrets', () => 'secret')).toThrow('declares no permission');
    expect(() => server.get('/admin/v1/operator', { config: { access: { permission: 'all' } } }, () => '')).toThrow();
    expect(() =>
      server.get('/admin/v1/operator/pages', { config: { access: { permission: 'view' } } }, () => ''),
    ).not.toThrow();
  });
});
