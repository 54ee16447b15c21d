import { statement } from '@kinora/database';
import { countByOutcome, runConcurrently, sha256, useBilling } from './billing.fixtures';
import { derive, openToAll, People } from './users.fixtures';
import { KeyProof } from '../src/api-key/key-proof';
import { DeleteUser } from '../src/use-cases/delete-user.use-case';
import { SignInUser } from '../src/use-cases/sign-in-user.use-case';
import { UseUserLink } from '../src/use-cases/use-user-link.use-case';
import { BillingConfig } from '../src/billing.config';
import { hashesOfPerson, registeredDomain } from '../src/user/email-address';

const CREDIT = 250_000;
const billing = useBilling(() => openToAll({ creditMicros: CREDIT, perDomain: 10 }));
const people = new People(billing);

const USERS = statement('spec_users', 'SELECT * FROM customer_user WHERE email = $1');
const LINKS = statement('spec_links', 'SELECT * FROM user_link WHERE email = $1');
const EXPIRE = statement('spec_links_expire', "UPDATE user_link SET expires_at = now() - interval '1 second'");
const COUNT_LINKS = statement('spec_links_count', 'SELECT count(*) AS links FROM user_link WHERE domain = $1');

let last = 0;
const newEmail = (): string => `person${++last}@host${last}.example`;
const provesKey = (api_key: string) => billing.get(KeyProof).getKey({ key_sha256: sha256(api_key) });

describe('a sign-up', () => {
  it('makes a user with an account and its credit, once the address is proven', async () => {
    const email = newEmail();
    await people.request('sign_up', email);
    expect(await billing.database.query(USERS, [email])).toEqual([]);
    const session = await people.use(await people.tokenFor(email), derive('a password of words'), 'Ada Ltd');
    expect(session).toMatchObject({ email, role: 'owner', scope: 'account' });
    const account = await billing.show(session.account_id);
    expect(account).toMatchObject({ name: 'Ada Ltd', balance_micros: CREDIT, status: 'active' });
    expect((await billing.actionsOf(session.account_id)).map(({ action }) => action)).toEqual([
      'sign_in',
      'create_account',
    ]);
    expect(await provesKey(session.api_key)).toMatchObject({ account_id: session.account_id });
  });

  it('keeps neither the token nor what scrypt derives', async () => {
    const email = newEmail();
    await people.request('sign_up', email);
    const token = await people.tokenFor(email);
    const password = derive('a password of words');
    await people.use(token, password);
    const stored = JSON.stringify([
      await billing.database.query(USERS, [email]),
      await billing.database.query(LINKS, [email]),
    ]);
    expect(stored).not.toContain(String(token));
    expect(stored).not.toContain(password.derived);
    expect(stored).not.toContain(Buffer.from(password.derived, 'hex').toJSON().data.join(','));
  });

  it('works once, also for many uses at the same time', async () => {
    const email = newEmail();
    await people.request('sign_up', email);
    const token = await people.tokenFor(email);
    const outcomes = await runConcurrently(10, async () => (await people.use(token, derive('words of mine'))).role);
    expect(countByOutcome(outcomes)).toEqual({ owner: 1, not_found: 9 });
  });

  it('works neither after its end nor after a later link was used', async () => {
    const email = newEmail();
    await people.request('sign_up', email);
    const first = await people.tokenFor(email);
    await people.request('sign_up', email);
    await people.use(await people.tokenFor(email), derive('words of mine'));
    await expect(people.use(first, derive('words of a thief'))).rejects.toMatchObject({ code: 'not_found' });
    const other = newEmail();
    await people.request('sign_up', other);
    const token = await people.tokenFor(other);
    await billing.database.execute(EXPIRE);
    await expect(people.use(token, derive('words of mine'))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('with a known address sends a link for a new password, under the same answer', async () => {
    const email = newEmail();
    const { account_id } = await people.signUp(email);
    expect(await people.request('sign_up', email)).toEqual(await people.request('sign_up', newEmail()));
    const again = await people.use(await people.tokenFor(email), derive('other words of mine'));
    expect(again.account_id).toBe(account_id);
  });

  it('is limited by the registered domain, also below it', async () => {
    const outcomes = await runConcurrently(1_000, async (index) => {
      await people.request('sign_up', `bot${index}@n${index % 50}.flood.example`);
      return 'sent';
    });
    const { sent = 0, rate_limited = 0 } = countByOutcome(outcomes);
    expect(sent + rate_limited).toBe(1_000);
    // Those that run at the same time may pass together.
    expect(sent).toBeLessThan(10 + 64);
    const row = await billing.database.findOne<{ links: number }>(COUNT_LINKS, ['flood.example']);
    expect(row?.links).toBe(sent);
    expect(await people.request('sign_up', newEmail())).toEqual({});
  });

  it('fills no mailbox', async () => {
    const email = newEmail();
    for (let index = 0; index < 9; index++) await people.request('sign_up', email);
    expect(await people.emailsTo(email)).toBe(5);
  });

  it.each(['no address', 'a@b@c', '"a b"@c.example', 'ädä@example.com', `${'x'.repeat(300)}@example.com`, ''])(
    'is refused with %j',
    async (email) => {
      await expect(people.request('sign_up', email)).rejects.toMatchObject({ code: 'invalid_body', param: 'email' });
    },
  );
});

describe('the credit of a sign-up', () => {
  it('is for one person, whatever tags and dots the address has', async () => {
    const balances = [];
    for (const email of ['gr.ace@gmail.com', 'grace+2@gmail.com', 'g.r.a.c.e+x@googlemail.com', 'Grace@Gmail.com'])
      balances.push((await billing.show((await people.signUp(email.toLowerCase())).account_id)).balance_micros);
    expect(balances).toEqual([CREDIT, 0, 0, 0]);
  });

  it('is not given again after the user was deleted', async () => {
    const email = newEmail();
    await people.signUp(email);
    await billing.get(DeleteUser).execute({ email });
    const { account_id } = await people.signUp(email);
    expect((await billing.show(account_id)).balance_micros).toBe(0);
  });

  it('is not given again after a rotation of the pepper', async () => {
    const email = newEmail();
    await people.signUp(email);
    await billing.get(DeleteUser).execute({ email });
    const config = billing.get(BillingConfig);
    const { keyPepper } = config;
    Object.assign(config, { keyPepper: 'the next pepper, of 32 characters, too', keyPepperAccepted: keyPepper });
    try {
      const [again, another] = [await people.signUp(email), await people.signUp(newEmail())];
      const balances = [again, another].map(async (session) => (await billing.show(session.account_id)).balance_micros);
      expect(await Promise.all(balances)).toEqual([0, CREDIT]);
    } finally {
      Object.assign(config, { keyPepper, keyPepperAccepted: '' });
    }
  });
});

describe('a reset', () => {
  it('of an unknown address sends nothing, under the same answer', async () => {
    const email = newEmail();
    expect(await people.request('reset', email)).toEqual({});
    expect(await people.emailsTo(email)).toBe(0);
  });

  it('replaces the password, and ends every session', async () => {
    const email = newEmail();
    const before = await people.signUp(email, 'the first words');
    await people.request('reset', email);
    const after = await people.use(await people.tokenFor(email), derive('the second words'));
    expect(after.account_id).toBe(before.account_id);
    await expect(provesKey(before.api_key)).rejects.toMatchObject({ code: 'invalid_api_key' });
    await expect(people.signIn(email, 'the first words')).rejects.toMatchObject({ code: 'not_found' });
    expect(await people.signIn(email, 'the second words')).toMatchObject({ email });
  });
});

describe('a sign-in', () => {
  it.each(['a new password', 'a deletion'] as const)('beside %s opens no session that outlives it', async (change) => {
    const email = newEmail();
    const { account_id } = await people.signUp(email, 'the first words');
    await people.request('reset', email);
    const token = await people.tokenFor(email);
    const [, signedIn] = await people.overlap(
      account_id,
      async () =>
        change === 'a deletion'
          ? billing.get(DeleteUser).execute({ email })
          : people.use(token, derive('the second words')),
      () => people.signIn(email, 'the first words'),
    );
    expect(signedIn).toMatchObject({ reason: { code: 'not_found' } });
  });

  it('of an unknown address and with a wrong password have one answer', async () => {
    const email = newEmail();
    await people.signUp(email, 'the right words');
    const refusals = [];
    for (const [who, password] of [
      [email, 'the wrong words'],
      [newEmail(), 'the right words'],
    ] as const)
      refusals.push(await people.signIn(who, password).catch((error: Error) => ({ ...error, message: error.message })));
    expect(refusals[0]).toEqual(refusals[1]);
    expect(refusals[0]).toMatchObject({ code: 'not_found' });
  });

  it('is refused with the stored hash, which is no password', async () => {
    const email = newEmail();
    await people.signUp(email);
    const [row] = await billing.database.query<{ password_hash: Buffer }>(USERS, [email]);
    const derived = row?.password_hash.toString('hex') ?? '';
    await expect(billing.get(SignInUser).execute({ email, derived })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a user of an identity provider', () => {
  const enter = (subject: string, email: string) => billing.get(UseUserLink).enterFromProvider({ subject, email });

  it('has an account at the first sign-in, and the same at the next, also with another address', async () => {
    const first = await enter('https://id.example 1', newEmail());
    expect(first).toMatchObject({ role: 'owner' });
    expect(await enter('https://id.example 1', newEmail())).toMatchObject({ account_id: first.account_id });
  });

  it('does not take over a user with the same address', async () => {
    const email = newEmail();
    await people.signUp(email);
    await expect(enter('https://id.example 2', email)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a deleted user', () => {
  it('leaves the account with its books, and no address', async () => {
    const email = newEmail();
    const session = await people.signUp(email);
    await people.request('reset', email);
    const deleted = await billing.get(DeleteUser).execute({ email, actor: 'ada', reason: 'asked for it' });
    expect(deleted).toEqual({ user_id: session.user_id, accounts: [session.account_id] });
    await expect(provesKey(session.api_key)).rejects.toMatchObject({ code: 'invalid_api_key' });
    expect(await billing.database.query(USERS, [email])).toEqual([]);
    expect(await billing.database.query(LINKS, [email])).toEqual([]);
    expect(await people.emailsTo(email)).toBe(0);
    expect(JSON.stringify(await billing.actionsOf(session.account_id))).not.toContain(email);
    expect((await billing.show(session.account_id)).balance_micros).toBe(CREDIT);
  });
});

describe('a malformed link', () => {
  it.each(['', 'x', "' OR true --", 'a'.repeat(64)])('does not exist: %j', async (token_sha256) => {
    const using = billing.get(UseUserLink).execute({ token_sha256, password: derive('some words') });
    await expect(using).rejects.toMatchObject({ code: 'not_found' });
    await expect(billing.get(UseUserLink).show({ token_sha256 })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('without open sign-ups', () => {
  const closed = useBilling(() => openToAll({ mode: 'invited' }));

  it('only an invited person makes a user', async () => {
    const guests = new People(closed);
    await expect(guests.request('sign_up', 'a@b.example')).rejects.toMatchObject({ code: 'not_found' });
    const { account_id } = await closed.createAccount();
    expect(await guests.join(account_id, 'a@b.example', 'owner')).toMatchObject({ account_id, role: 'owner' });
  });
});

describe('an address', () => {
  it.each([
    ['a@example.com', 'example.com'],
    ['a@x.y.example.com', 'example.com'],
    ['a@mail.example.co.uk', 'example.co.uk'],
    ['a@localhost', 'localhost'],
  ])('%s belongs to %s', (email, domain) => expect(registeredDomain(email)).toBe(domain));

  it('of another person is another one', () => {
    expect(hashesOfPerson(['pepper'], 'ada@example.com')).not.toEqual(hashesOfPerson(['pepper'], 'bob@example.com'));
  });
});
