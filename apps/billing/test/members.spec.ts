import { v7 as uuidv7 } from 'uuid';
import type { MemberRole, MemberSession } from '@kinora/contracts/billing/users.rpc';
import { runConcurrently, sha256, useBilling } from './billing.fixtures';
import { derive, openToAll, People } from './users.fixtures';
import { KeyProof } from '../src/api-key/key-proof';
import { CreateAccountKey } from '../src/use-cases/create-account-key.use-case';
import { ListAccountKeys } from '../src/use-cases/list-account-keys.query';
import { ManageMembers } from '../src/use-cases/manage-members.use-case';
import { RevokeAccountKey, RotateAccountKey } from '../src/use-cases/revoke-key.use-case';
import { SignInUser } from '../src/use-cases/sign-in-user.use-case';
import { SwitchAccount } from '../src/use-cases/switch-account.use-case';

const billing = useBilling(() => openToAll());
const people = new People(billing);

let last = 0;
const newEmail = (): string => `member${++last}@host${last}.example`;
const keyOf = ({ api_key }: { api_key: string }) => ({ key_sha256: sha256(api_key) });
const members = () => billing.get(ManageMembers);
const callerOf = ({ account_id, api_key_id }: MemberSession) => ({ account_id, api_key_id });

/** An account with a person of each role. */
async function team() {
  const owner = await people.signUp(newEmail());
  const join = (role: MemberRole) => people.join(owner.account_id, newEmail(), role);
  return { owner, billing: await join('billing'), developer: await join('developer'), viewer: await join('viewer') };
}

describe('an invitation', () => {
  it('makes a member with its role, and stands in the audit trail without an address', async () => {
    const owner = await people.signUp(newEmail());
    const email = newEmail();
    const { invitations } = await members().invite({ ...keyOf(owner), email, role: 'developer' });
    expect(invitations).toMatchObject([{ email, role: 'developer' }]);
    const session = await people.use(await people.tokenFor(email), derive('words of a developer'));
    expect(session).toMatchObject({ account_id: owner.account_id, role: 'developer' });
    const list = await members().list(keyOf(owner));
    expect(list.members.map(({ role }) => role)).toEqual(['owner', 'developer']);
    expect(list.invitations).toEqual([]);
    const actions = await billing.actionsOf(owner.account_id);
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['invite_member', 'accept_invitation', 'sign_in']),
    );
    expect(JSON.stringify(actions)).not.toContain(email);
  });

  it('of a known user needs the password, and leaves it as it is', async () => {
    const email = newEmail();
    const own = await people.signUp(email, 'my own words');
    const owner = await people.signUp(newEmail());
    await members().invite({ ...keyOf(owner), email, role: 'viewer' });
    const token = await people.tokenFor(email);
    // The recipient of a forwarded link does not know the password.
    await expect(people.use(token, derive('words of a thief'))).rejects.toMatchObject({ code: 'not_found' });
    const salt = await saltOf(email);
    const session = await people.use(token, derive('my own words', salt));
    expect(session).toMatchObject({ account_id: owner.account_id, role: 'viewer', user_id: own.user_id });
    expect(await people.signIn(email, 'my own words')).toMatchObject({ account_id: owner.account_id });
  });

  it('works once, and not after it was withdrawn', async () => {
    const owner = await people.signUp(newEmail());
    const email = newEmail();
    await members().invite({ ...keyOf(owner), email, role: 'viewer' });
    const token = await people.tokenFor(email);
    expect((await members().cancelInvitation({ ...keyOf(owner), email })).invitations).toEqual([]);
    await expect(people.use(token, derive('some words'))).rejects.toMatchObject({ code: 'not_found' });
    await expect(members().cancelInvitation({ ...keyOf(owner), email })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('replaces an earlier one of the same person', async () => {
    const owner = await people.signUp(newEmail());
    const email = newEmail();
    await members().invite({ ...keyOf(owner), email, role: 'owner' });
    const first = await people.tokenFor(email);
    await members().invite({ ...keyOf(owner), email, role: 'viewer' });
    await expect(people.use(first, derive('some words'))).rejects.toMatchObject({ code: 'not_found' });
    expect(await people.use(await people.tokenFor(email), derive('some words'))).toMatchObject({ role: 'viewer' });
  });

  it('stays where a new person accepts another one', async () => {
    const [one, other] = [await people.signUp(newEmail()), await people.signUp(newEmail())];
    const email = newEmail();
    await members().invite({ ...keyOf(one), email, role: 'viewer' });
    const first = await people.tokenFor(email);
    await members().invite({ ...keyOf(other), email, role: 'viewer' });
    await people.use(await people.tokenFor(email), derive('my own words'));
    const joined = await people.use(first, derive('my own words', await saltOf(email)));
    expect(joined.account_id).toBe(one.account_id);
  });

  it('is limited to twenty a day', async () => {
    const owner = await people.signUp(newEmail());
    const invite = () => members().invite({ ...keyOf(owner), email: newEmail(), role: 'viewer' });
    for (let index = 0; index < 20; index++) await invite();
    await expect(invite()).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

async function saltOf(email: string): Promise<string> {
  return (await billing.get(SignInUser).findSalt({ email })).salt ?? '';
}

describe('members', () => {
  it('are changed by owners only', async () => {
    const { owner, ...others } = await team();
    for (const other of Object.values(others)) {
      const by = keyOf(other);
      const changes = [
        members().invite({ ...by, email: newEmail(), role: 'viewer' }),
        members().setRole({ ...by, user_id: other.user_id, role: 'owner' }),
        members().remove({ ...by, user_id: owner.user_id }),
      ];
      for (const change of changes) await expect(change).rejects.toMatchObject({ code: 'scope_required' });
      expect((await members().list(by)).members).toHaveLength(4);
    }
  });

  it('are not shown to a lesser key of the account', async () => {
    const { api_key } = await billing.createAccount({ key_scope: 'jobs' });
    await expect(members().list({ key_sha256: sha256(api_key) })).rejects.toMatchObject({ code: 'scope_required' });
  });

  it('are changed by a key of the scope account, too', async () => {
    const { api_key } = await billing.createAccount({ key_scope: 'account' });
    const email = newEmail();
    await members().invite({ key_sha256: sha256(api_key), email, role: 'owner' });
    expect(await people.use(await people.tokenFor(email), derive('some words'))).toMatchObject({ role: 'owner' });
  });

  it('are signed out by another role, and by their removal', async () => {
    const { owner, developer, viewer } = await team();
    await members().setRole({ ...keyOf(owner), user_id: developer.user_id, role: 'viewer' });
    await members().remove({ ...keyOf(owner), user_id: viewer.user_id });
    for (const { api_key } of [developer, viewer])
      await expect(billing.get(KeyProof).getKey({ key_sha256: sha256(api_key) })).rejects.toMatchObject({
        code: 'invalid_api_key',
      });
    expect(await people.signIn(developer.email, 'a password of many words')).toMatchObject({ role: 'viewer' });
    await expect(people.signIn(viewer.email, 'a password of many words')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['removal', 'other role'] as const)('open no session beside their %s that outlives it', async (change) => {
    const { owner, developer } = await team();
    const { account_id, user_id, email } = developer;
    const changed = { ...keyOf(owner), user_id };
    const [, signedIn] = await people.overlap(
      account_id,
      () => (change === 'removal' ? members().remove(changed) : members().setRole({ ...changed, role: 'viewer' })),
      () => people.signIn(email, 'a password of many words'),
    );
    expect(signedIn).toMatchObject(
      change === 'removal' ? { reason: { code: 'not_found' } } : { value: { role: 'viewer', scope: 'read' } },
    );
  });

  it('leave by themselves', async () => {
    const { owner, viewer } = await team();
    await members().remove({ ...keyOf(viewer), user_id: viewer.user_id });
    expect((await members().list(keyOf(owner))).members).toHaveLength(3);
  });

  it('keep one owner, also where two leave at the same time', async () => {
    const { owner, viewer } = await team();
    const only = { ...keyOf(owner), user_id: owner.user_id };
    await expect(members().remove(only)).rejects.toMatchObject({ code: 'invalid_body', param: 'user_id' });
    await expect(members().setRole({ ...only, role: 'viewer' })).rejects.toMatchObject({ code: 'invalid_body' });
    await members().setRole({ ...keyOf(owner), user_id: viewer.user_id, role: 'owner' });
    const second = await people.signIn(viewer.email, 'a password of many words');
    const outcomes = await runConcurrently(2, async (index) => {
      const leaving = index === 0 ? owner : second;
      await members().remove({ ...keyOf(leaving), user_id: leaving.user_id });
      return 'left';
    });
    expect(outcomes.toSorted()).toEqual(['invalid_body', 'left']);
  });

  it('of other accounts are out of reach', async () => {
    const [one, other] = [await team(), await team()];
    const foreign = { ...keyOf(one.owner), user_id: other.viewer.user_id };
    await expect(members().remove(foreign)).rejects.toMatchObject({ code: 'not_found' });
    await expect(members().setRole({ ...foreign, role: 'owner' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(members().remove({ ...keyOf(one.owner), user_id: uuidv7() })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('the key of a session', () => {
  const create = (by: MemberSession, scope: 'jobs' | 'account') =>
    billing.get(CreateAccountKey).execute({ ...callerOf(by), input: { name: 'key', scope } });

  it('makes keys that outlive it, and manages all of them', async () => {
    const { owner } = await team();
    const key = await create(owner, 'account');
    expect(key.expires_at).toBeNull();
    const again = await people.signIn(owner.email, 'correct horse battery');
    const { data } = await billing.get(ListAccountKeys).execute({ ...callerOf(again), limit: 20 });
    expect(data.map(({ id }) => id)).toEqual([key.id]);
    // An owner needs no key: the last one may go.
    await billing.get(RevokeAccountKey).execute({ ...callerOf(again), target_key_id: key.id });
  });

  it('of a developer makes, rotates and revokes no key of the scope account', async () => {
    const { owner, developer } = await team();
    expect(await create(developer, 'jobs')).toMatchObject({ scope: 'jobs' });
    await expect(create(developer, 'account')).rejects.toMatchObject({ code: 'scope_required' });
    const { id: target_key_id } = await create(owner, 'account');
    const target = { ...callerOf(developer), target_key_id };
    const rotating = billing.get(RotateAccountKey).execute({ ...target, overlap_seconds: 0 });
    await expect(rotating).rejects.toMatchObject({ code: 'scope_required' });
    await expect(billing.get(RevokeAccountKey).execute(target)).rejects.toMatchObject({ code: 'scope_required' });
  });

  it('of billing makes no key, and that of a developer changes no money', async () => {
    const { billing: clerk, developer, viewer } = await team();
    await expect(create(clerk, 'jobs')).rejects.toMatchObject({ code: 'scope_required' });
    const administer = (by: MemberSession) => billing.get(KeyProof).getAdministrator(keyOf(by));
    expect(await administer(clerk)).toMatchObject({ api_key_id: clerk.api_key_id });
    for (const by of [developer, viewer])
      await expect(administer(by)).rejects.toMatchObject({ code: 'scope_required' });
  });
});

describe('a member of several accounts', () => {
  it('opens each with its own role, by a session of any, and no account of another person', async () => {
    const [owner, other] = [await people.signUp(newEmail()), await people.signUp(newEmail())];
    await members().invite({ ...keyOf(other), email: owner.email, role: 'viewer' });
    const password = derive('correct horse battery', await saltOf(owner.email));
    const second = await people.use(await people.tokenFor(owner.email), password);
    const accounts = await billing.get(SwitchAccount).list(keyOf(second));
    expect(new Map(accounts.map(({ account_id, role }) => [account_id, role]))).toEqual(
      new Map([
        [owner.account_id, 'owner'],
        [other.account_id, 'viewer'],
      ]),
    );
    const open = (by: MemberSession, account_id: string) =>
      billing.get(SwitchAccount).execute({ ...keyOf(by), account_id });
    const first = await open(second, owner.account_id);
    expect(first).toMatchObject({ account_id: owner.account_id, role: 'owner', scope: 'account' });
    expect(await open(first, other.account_id)).toMatchObject({ role: 'viewer', scope: 'read', email: owner.email });
    await members().remove({ ...keyOf(other), user_id: owner.user_id });
    for (const [by, account_id] of [
      [first, other.account_id],
      [other, owner.account_id],
    ] as const)
      await expect(open(by, account_id)).rejects.toMatchObject({ code: 'not_found', param: 'account_id' });
  });

  it('is not known to the key of a program', async () => {
    const { account_id } = await people.signUp(newEmail());
    const program = await billing.createKey({ account_id, name: 'program', scope: 'account' });
    expect(await billing.get(SwitchAccount).list(keyOf(program))).toEqual([]);
    const switched = billing.get(SwitchAccount).execute({ ...keyOf(program), account_id });
    await expect(switched).rejects.toMatchObject({ code: 'not_found' });
  });
});
