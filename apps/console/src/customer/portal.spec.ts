import { useConsole } from '../../test/console.fixtures';

const bed = useConsole();

describe('a portal link', () => {
  it('opens a session with the key that billing has made for it, until the end of that key', async () => {
    const { token, key } = bed.keys.createLink('read');
    const browser = bed.browser();
    const answer = await browser.post('/admin/v1/session/portal', { token });
    expect(answer.json()).toMatchObject({
      kind: 'customer',
      account_id: key.account_id,
      capabilities: ['read'],
      expires_at: key.expires_at,
    });
    await browser.get('/admin/v1/customer/account');
    expect(bed.gateway.seen.at(-1)?.headers.authorization).toBe(`Bearer ${key.api_key}`);
  });

  it('works once, also for browsers that use it at the same time', async () => {
    const { token } = bed.keys.createLink('jobs');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => bed.browser().post('/admin/v1/session/portal', { token })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    expect(answers.filter(({ headers }) => headers['set-cookie'] !== undefined)).toHaveLength(1);
  });

  it.each([[{}], [{ token: 5 }], [{ token: '' }]])('is refused as %j, with the name of the field', async (body) => {
    const answer = await bed.browser().post('/admin/v1/session/portal', body);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ error: { param: 'token' } });
  });

  it('ends with its sign-out, and its key with it', async () => {
    const { token, key } = bed.keys.createLink('jobs');
    const browser = bed.browser();
    browser.csrfToken = (await browser.post('/admin/v1/session/portal', { token })).json<{
      csrf_token: string;
    }>().csrf_token;
    await browser.delete('/admin/v1/session');
    expect((await bed.browser().signIn(key.api_key)).status).toBe(401);
  });

  it('ends from another browser of its account, and its key with it at once', async () => {
    const { token, key } = bed.keys.createLink('jobs');
    await bed.browser().post('/admin/v1/session/portal', { token });
    const browser = await bed.signedIn(bed.keys.create('account', key.account_id));
    type List = { data: { id: string; is_portal: boolean }[] };
    const { data } = (await browser.get('/admin/v1/sessions')).json<List>();
    const { id } = data.find(({ is_portal }) => is_portal) ?? {};
    expect((await browser.delete(`/admin/v1/sessions/${id}`)).status).toBe(200);
    expect((await bed.browser().signIn(key.api_key)).status).toBe(401);
  });

  it('ends by its own list of sessions, and its key with it', async () => {
    const { token, key } = bed.keys.createLink('read');
    const browser = bed.browser();
    browser.csrfToken = (await browser.post('/admin/v1/session/portal', { token })).json<{
      csrf_token: string;
    }>().csrf_token;
    const { data } = (await browser.get('/admin/v1/sessions')).json<{ data: { id: string }[] }>();
    expect(data).toHaveLength(1);
    expect((await browser.delete(`/admin/v1/sessions/${data[0]?.id}`)).status).toBe(200);
    expect((await bed.browser().signIn(key.api_key)).status).toBe(401);
  });

  it('ends with the next sign-in of its browser, and its key with it', async () => {
    const { token, key } = bed.keys.createLink('jobs');
    const browser = bed.browser();
    await browser.post('/admin/v1/session/portal', { token });
    expect((await browser.signIn(bed.keys.create().api_key)).status).toBe(200);
    expect((await bed.browser().signIn(key.api_key)).status).toBe(401);
  });

  it('leaves the key of a program alone at the sign-out', async () => {
    const key = bed.keys.create();
    const browser = await bed.signedIn(key);
    await browser.delete('/admin/v1/session');
    expect((await bed.browser().signIn(key.api_key)).status).toBe(200);
  });
});
