import { MEMBER_ROLES, membersRpc } from '@kinora/contracts/billing/users.rpc';
import { EMAIL, oneOf, text } from '../http/fields';
import { controllerOf, get, post } from './customer-route';
import { toCustomerSession } from './session.controller';

const ID = text(64, { type: 'string', format: 'uuid' });
const ROLE = oneOf(MEMBER_ROLES);

/** Who works in the account. Billing decides by the session's key, and records every change in the audit trail. */
export const MembersController = controllerOf('MembersController', {
  list: get('members', { summary: 'List the members and invitations of the account' }, ({ ask }) =>
    ask(membersRpc.list, {}),
  ),
  invite: post(
    'members',
    { summary: 'Invite a person by e-mail', body: { email: EMAIL, role: ROLE } },
    ({ ask, body }) => ask(membersRpc.invite, body),
  ),
  withdraw: post('members/withdraw', { summary: 'Withdraw an invitation', body: { email: EMAIL } }, ({ ask, body }) =>
    ask(membersRpc.cancelInvitation, body),
  ),
  setRole: post(
    'members/role',
    { summary: 'Change the role of a member, who is signed out', body: { user_id: ID, role: ROLE } },
    ({ ask, body }) => ask(membersRpc.setRole, body),
  ),
  remove: post('members/remove', { summary: 'Remove a member, or leave', body: { user_id: ID } }, ({ ask, body }) =>
    ask(membersRpc.remove, body),
  ),
});

/** The accounts of the member who has signed in. A session is one of one account, so a switch opens another session. */
export const OwnAccountsController = controllerOf('OwnAccountsController', {
  list: get('accounts', { summary: 'List the accounts of the member' }, ({ ask }) => ask(membersRpc.listAccounts, {})),
  switch: post(
    'accounts/switch',
    { summary: 'Open another account of the member', body: { account_id: ID } },
    async ({ ask, body, config, request, reply, signIn }) => {
      const member = await ask(membersRpc.switchAccount, body);
      return toCustomerSession(await signIn.enter(request, reply, member), config);
    },
  ),
});
