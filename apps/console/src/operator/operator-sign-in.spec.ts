import { randomBytes } from 'node:crypto';
import { statement } from '@kinora/database';
import { useConsole } from '../../test/console.fixtures';
import { PASSWORD, addOperator, confirm, keepToken, operatorBrowser, signIn } from '../../test/operator.fixtures';
import { ManageOperators } from './users/manage-operators';
import { hashPassword, isPassword } from '../session/password';
import { SetupLinkPruner } from './users/setup-link-pruner';

const SETUP_TOKEN = 'a-token-of-at-least-32-characters';
const EXPIRE_LINKS = statement('spec_expire_links', "UPDATE setup_link SET expires_at = now() - interval '1 second'");
const COUNT_LINKS = statement('spec_count_links', 'SELECT count(*)::integer AS count FROM setup_link');
const END_CONFIRMATION = statement('spec_end_confirmation', 'UPDATE session SET confirmed_until = now()');
const BY = { id: null, email: 'command line', request_id: 'req_1' };
/** No refusal comes earlier, whatever its check has cost. */
const REFUSED_AFTER_MS = 1_000;

describe('the first operator', () => {
  const bed = useConsole({ KINORA_CONSOLE_SETUP_TOKEN: SETUP_TOKEN });

  const setUp = (parts: object) =>
    bed
      .browser()
      .post('/admin/v1/operator/setup', { email: 'ada@kinora.test', password: PASSWORD, token: SETUP_TOKEN, ...parts });

  it('is made by the setup link, once, also by requests at the same time', async () => {
    expect((await bed.browser().get('/admin/v1/operator/session')).json()).toMatchObject({
      kind: null,
      needs_setup: true,
    });
    expect((await setUp({ token: 'another-token-of-at-least-32-chars' })).status).toBe(401);
    expect((await setUp({ password: 'short' })).json()).toMatchObject({ error: { param: 'password' } });
    const answers = await Promise.all(['ada', 'eve', 'mallory'].map((name) => setUp({ email: `${name}@kinora.test` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const made = answers.find(({ status }) => status === 200);
    expect(made?.json()).toMatchObject({ kind: 'operator', user: { role: 'owner' }, needs_setup: false });
    expect((await setUp({ email: 'late@kinora.test' })).status).toBe(401);
  });
});

describe('the sign-in of operators', () => {
  const bed = useConsole();

  it('opens a session with a cookie of its own, and ends it for every copy of the cookie', async () => {
    const { browser, email } = await operatorBrowser(bed, 'viewer');
    expect([...browser.cookies.keys()]).toEqual(['kinora-operator', 'kinora-known']);
    const stolen = bed.browser();
    for (const [name, value] of browser.cookies) stolen.cookies.set(name, value);
    expect((await stolen.get('/admin/v1/operator/session')).json()).toMatchObject({ user: { email, role: 'viewer' } });
    await browser.delete('/admin/v1/operator/session');
    expect((await stolen.get('/admin/v1/operator/session')).json()).toMatchObject({ kind: null });
    expect((await stolen.get('/admin/v1/operator/overview')).status).toBe(401);
  });

  it('answers every wrong login alike, after the same time', async () => {
    const email = await addOperator(bed, 'owner');
    const disabled = await addOperator(bed, 'viewer');
    await bed.app.get(ManageOperators, { strict: false }).setDisabled(BY, disabled, true);
    const attempts = [
      { email, password: 'wrong' },
      { email: 'unknown@kinora.test', password: PASSWORD },
      { email: disabled, password: PASSWORD },
    ];
    const times: number[] = [];
    const messages = new Set<string>();
    for (const attempt of attempts) {
      const beganAt = bed.clock.nowMs();
      const answer = await bed.browser().post('/admin/v1/operator/session', attempt);
      times.push(bed.clock.nowMs() - beganAt);
      expect(answer.status).toBe(401);
      messages.add(answer.json<{ error: { message: string } }>().error.message);
    }
    expect(messages.size).toBe(1);
    expect(times).toEqual(attempts.map(() => REFUSED_AFTER_MS));
  });

  it('does the work of a password check for a user who does not exist', async () => {
    const work: [saltBytes: number, cost: object][] = [];
    const derive = async (_password: string, salt: Buffer, cost: object) => {
      work.push([salt.length, cost]);
      return randomBytes(32);
    };
    const { passwordCost } = bed;
    const stored = await hashPassword(PASSWORD, passwordCost);
    expect(await isPassword(PASSWORD, stored, passwordCost)).toBe(true);
    expect(await isPassword('wrong', stored, passwordCost, derive)).toBe(false);
    expect(await isPassword('wrong', null, passwordCost, derive)).toBe(false);
    expect(work).toEqual([work[0], work[0]]);
  });

  it('repeats the password for sensitive actions, for five minutes', async () => {
    const { browser } = await operatorBrowser(bed, 'owner');
    const add = () => browser.post('/admin/v1/operator/users', { email: 'x', role: 'viewer' });
    expect((await add()).json()).toMatchObject({ error: { code: 'confirmation_required' } });
    expect((await confirm(browser, 'wrong')).status).toBe(401);
    expect((await confirm(browser)).status).toBe(200);
    expect((await add()).json()).toMatchObject({ error: { code: 'invalid_body', param: 'email' } });
    await bed.database.database.execute(END_CONFIRMATION);
    expect((await add()).json()).toMatchObject({ error: { code: 'confirmation_required' } });
  });

  it('takes a disabled operator and a lower role into account at once, and keeps the last owner', async () => {
    const { browser, email } = await operatorBrowser(bed, 'owner');
    const operators = bed.app.get(ManageOperators, { strict: false });
    await operators.setRole(BY, email, 'viewer', 'a smaller role');
    expect((await browser.get('/admin/v1/operator/users')).json()).toMatchObject({ error: { code: 'role_required' } });
    await operators.setDisabled(BY, email, true);
    expect((await browser.get('/admin/v1/operator/overview')).status).toBe(401);
    const findOwners = async () =>
      (await operators.list()).filter(({ role, disabled_at }) => role === 'owner' && disabled_at === null);
    await addOperator(bed, 'owner');
    await addOperator(bed, 'owner');
    const owners = await findOwners();
    // All at once: checks that do not wait for each other would each find another owner.
    await Promise.allSettled(
      owners.map(({ email: owner }, index) =>
        index % 2 === 0
          ? operators.setDisabled(BY, owner, true)
          : operators.setRole(BY, owner, 'viewer', 'a smaller role'),
      ),
    );
    expect(await findOwners()).toHaveLength(1);
  });

  it('sets the first password by a link that works once and for its own email only', async () => {
    const operators = bed.app.get(ManageOperators, { strict: false });
    const { setup_url } = await operators.add(BY, { email: 'grace@kinora.test', role: 'support' });
    const [, token] = setup_url.split('#token=');
    const setUp = async (email: string) => {
      const browser = bed.browser();
      return keepToken(browser, await browser.post('/admin/v1/operator/setup', { email, password: PASSWORD, token }));
    };
    expect((await setUp('eve@kinora.test')).status).toBe(401);
    expect((await setUp('grace@kinora.test')).json()).toMatchObject({ user: { role: 'support' } });
    expect((await setUp('grace@kinora.test')).status).toBe(401);
    expect((await signIn(bed.browser(), 'GRACE@kinora.test')).status).toBe(200);
  });

  it('ends every link of an operator with the first password, and keeps a link that another email tried', async () => {
    const operators = bed.app.get(ManageOperators, { strict: false });
    const invite = async (email: string) =>
      (await operators.add(BY, { email, role: 'support' })).setup_url.split('#token=')[1];
    const setUp = (token: string | undefined, email: string, password = PASSWORD) =>
      bed.browser().post('/admin/v1/operator/setup', { email, password, token });
    const [earlier, later] = [await invite('hedy@kinora.test'), await invite('hedy@kinora.test')];
    expect((await setUp(later, await addOperator(bed, 'viewer'))).status).toBe(401);
    expect((await setUp(later, 'hedy@kinora.test')).status).toBe(200);
    expect((await setUp(earlier, 'hedy@kinora.test', 'another long password')).status).toBe(401);
    expect((await signIn(bed.browser(), 'hedy@kinora.test')).status).toBe(200);
  });

  it('deletes links that expired unused', async () => {
    const { database } = bed.database;
    await bed.app.get(ManageOperators, { strict: false }).add(BY, { email: 'joan@kinora.test', role: 'viewer' });
    const pruner = bed.app.get(SetupLinkPruner, { strict: false });
    await pruner.prunePage();
    expect((await database.findOne<{ count: number }>(COUNT_LINKS))?.count).toBe(1);
    await database.execute(EXPIRE_LINKS);
    await pruner.prunePage();
    expect((await database.findOne<{ count: number }>(COUNT_LINKS))?.count).toBe(0);
  });
});

describe('the limit of sign-ins', () => {
  const bed = useConsole();
  let url: string;
  beforeAll(async () => {
    const settings = { KINORA_CONSOLE_SIGN_INS_RPM: '2', KINORA_CONSOLE_TRUSTED_PROXIES: '127.0.0.1' };
    ({ url } = await bed.startConsole(settings));
  });

  const at = (address: string) => ({ 'x-forwarded-for': address });
  const signInFrom = async (address: string, email: string, password = PASSWORD, browser = bed.browser(url)) => {
    const answer = await browser.post('/admin/v1/operator/session', { email, password }, at(address));
    return keepToken(browser, answer);
  };
  const statusesOf = async (times: number, attempt: () => Promise<{ status: number }>) => {
    const statuses: number[] = [];
    while (statuses.length < times) statuses.push((await attempt()).status);
    return statuses;
  };

  it('counts right ones too', async () => {
    const email = await addOperator(bed, 'viewer');
    expect(await statusesOf(3, () => signInFrom('192.0.2.1', email))).toEqual([200, 200, 429]);
  });

  it('admits an operator although other addresses gave wrong passwords for the same email', async () => {
    const email = await addOperator(bed, 'owner');
    for (const address of ['192.0.2.2', '192.0.2.3'])
      expect(await statusesOf(3, () => signInFrom(address, email, 'wrong'))).toEqual([401, 401, 429]);
    expect((await signInFrom('192.0.2.4', email)).status).toBe(200);
  });

  it('bounds the tries of many emails from one address', async () => {
    const emails = ['a@kinora.test', 'b@kinora.test', 'c@kinora.test'];
    expect(await statusesOf(3, () => signInFrom('192.0.2.5', emails.pop() ?? '', 'wrong'))).toEqual([401, 401, 429]);
  });

  it('lets a session and a known browser in from an address whose attempts are used up', async () => {
    const [email, other] = [await addOperator(bed, 'owner'), await addOperator(bed, 'viewer')];
    const browser = bed.browser(url);
    expect((await signInFrom('192.0.2.6', email, PASSWORD, browser)).status).toBe(200);
    expect(await statusesOf(2, () => signInFrom('192.0.2.6', email, 'wrong'))).toEqual([401, 429]);
    // The browser is known for its own operator only.
    expect((await signInFrom('192.0.2.6', other, PASSWORD, browser)).status).toBe(429);
    const confirmIt = (password: string) =>
      browser.post('/admin/v1/operator/session/confirm', { password }, at('192.0.2.6'));
    expect((await confirmIt('wrong')).status).toBe(401);
    expect((await confirmIt(PASSWORD)).status).toBe(200);
    expect((await confirmIt(PASSWORD)).status).toBe(429);
    await browser.delete('/admin/v1/operator/session');
    const known = () => signInFrom('192.0.2.6', email, 'wrong', browser);
    expect((await signInFrom('192.0.2.6', email, PASSWORD, browser)).status).toBe(200);
    expect(await statusesOf(3, known)).toEqual([401, 401, 429]);
  });

  it('takes no cookie for a known browser that the console has not made', async () => {
    const email = await addOperator(bed, 'owner');
    const forged = bed.browser(url);
    const attempt = () => {
      forged.cookies.set('kinora-known', randomBytes(32).toString('base64url'));
      return signInFrom('192.0.2.7', email, 'wrong', forged);
    };
    expect(await statusesOf(3, attempt)).toEqual([401, 401, 429]);
  });
});
