import { createHash } from 'node:crypto';
import { type MeasuredDatabase, numberedId } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { EMAILS_PRUNE_PAGE, EmailRepository } from '../src/email/email.repository';
import { USER_LINKS_PRUNE_PAGE, UserLinkRepository } from '../src/user/user-link.repository';
import { UserRepository } from '../src/user/user.repository';

const EMAIL = 'new@people.test';
const FIRST_PAGE = { cursor: null, limit: 21 };

/** Input for the statements of users, members, links and e-mail. */
export function worksOfPeople(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  return [...worksOfUsers(database), ...worksOfLinks(database), ...worksOfEmails(database)];
}

function worksOfUsers(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const users = new UserRepository(database);
  const [account, user, id] = [numberedId(7), numberedId(8), uuidv7()];
  return [
    () => users.save(database, { id, email: EMAIL, password_salt: null, password_hash: null }),
    async () => expect(await users.find(EMAIL)).not.toBeNull(),
    async () => expect(await users.findBySubject(database, 'subject 7')).not.toBeNull(),
    () => users.insertOfProvider(database, uuidv7(), 'other@people.test', 'subject'),
    () => users.add(database, account, user, 'viewer'),
    () => users.findMembership(database, user),
    async () => expect(await users.listAccounts(database, user)).toHaveLength(2),
    async () => expect(await users.listMembers(database, account)).toHaveLength(2),
    () => users.setRole(database, account, user, 'billing'),
    () => users.revokeSessions(database, account, user),
    () => users.remove(database, account, user),
    () => users.takeCredit(database, [hashOf('new'), hashOf('former')], account),
    () => users.delete(database, user),
  ];
}

function worksOfLinks(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const links = new UserLinkRepository(database);
  const account_id = numberedId(7);
  const invitation = { account_id, role: 'viewer' } as const;
  return [
    () => links.insert(database, { purpose: 'reset', email: EMAIL, ttlSeconds: 60 }),
    () => links.insert(database, { purpose: 'invitation', email: EMAIL, invitation, ttlSeconds: 60 }),
    () => links.find(hashOf('link 7')),
    () => links.take(database, hashOf('link 7')),
    () => links.withdraw(database, EMAIL),
    async () => expect(await links.listInvitations(database, account_id)).toHaveLength(1),
    () => links.withdrawInvitation(database, account_id, EMAIL),
    () => links.count(database, { email: EMAIL }),
    () => links.count(database, { domain: 'people.test' }),
    () => links.count(database, { account_id }),
    () => links.deleteTo(database, EMAIL),
    async () => expect(await links.prune()).toBe(USER_LINKS_PRUNE_PAGE),
  ];
}

function worksOfEmails(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const emails = new EmailRepository(database);
  const id = uuidv7();
  const email = { id, kind: 'reset', recipient: EMAIL, account_id: null, subject: 'subject', sealed: Buffer.from('x') };
  return [
    () => emails.insert(database, email),
    async () => expect(await emails.claim()).not.toHaveLength(0),
    () => emails.postpone(id, 'away', 5),
    () => emails.markSent(id, { keepsTexts: false }),
    () => emails.giveUp(numberedId(3), 'refused'),
    () => emails.list(FIRST_PAGE),
    () => emails.findOldestAge(),
    () => emails.deleteTo(database, EMAIL),
    async () => expect(await emails.prune()).toBe(EMAILS_PRUNE_PAGE),
  ];
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
