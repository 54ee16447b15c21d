import { rpc } from '../shared/contract';
import type { PortalKey, PresentedKeyRequest } from './portal.rpc';

/** What a member may do in an account. */
export const MEMBER_ROLES = ['owner', 'billing', 'developer', 'viewer'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

export const LINK_PURPOSES = ['sign_up', 'reset', 'invitation'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** A password, derived by the console: billing never gets the password itself. */
export interface DerivedPassword {
  /** The algorithm, its parameters and the salt: `scrypt$N$r$p$salt`. */
  salt: string;
  /** What the algorithm derives, in hex. */
  derived: string;
}

export interface RequestLinkRequest {
  purpose: 'sign_up' | 'reset';
  email: string;
}

/** A link of an e-mail, by the hash of its token. */
export interface UserLinkRequest {
  /** SHA-256 in hex. */
  token_sha256: string;
}

export interface ShownUserLink {
  purpose: LinkPurpose;
  email: string;
  role: MemberRole | null;
  /** Of the password that the user has already, and has to repeat; null where a new one is to be chosen. */
  salt: string | null;
}

export interface UseLinkRequest extends UserLinkRequest {
  /** A new password, or for an invitation of a known user the present one. */
  password: DerivedPassword;
  /** Of the account that a sign-up makes. */
  account_name?: string;
}

export interface SignInUserRequest {
  email: string;
  derived: string;
}

/** The key of a member's session of the console. It expires with the session. */
export interface MemberSession extends PortalKey {
  user_id: string;
  email: string;
  role: MemberRole;
}

/** A person whom the identity provider of the console's customers has confirmed. */
export interface SignInAtProviderRequest {
  /** Issuer and subject. */
  subject: string;
  /** Confirmed by the provider. */
  email: string;
}

/** Requests of people who have not signed in. Nothing in an answer tells whether an address is known. */
export const usersRpc = {
  /** Sends a link to the address. `not_found` where sign-up is not open. */
  requestLink: rpc<RequestLinkRequest, Record<string, never>>('billing.v1.request_user_link', {
    errors: ['not_found', 'invalid_body', 'rate_limited'],
  }),
  showLink: rpc<UserLinkRequest, ShownUserLink>('billing.v1.show_user_link', { errors: ['not_found'] }),
  /** Uses up the link, sets the password, and opens a session. Of two uses at the same time, one is `not_found`. */
  useLink: rpc<UseLinkRequest, MemberSession>('billing.v1.use_user_link', { errors: ['not_found', 'invalid_body'] }),
  /** The salt of the password; null for an unknown address. */
  findSalt: rpc<{ email: string }, { salt: string | null }>('billing.v1.find_password_salt'),
  /** `not_found` also for an address with a user of its own, who is not taken over. */
  signInAtProvider: rpc<SignInAtProviderRequest, MemberSession>('billing.v1.sign_in_at_provider', {
    errors: ['not_found', 'invalid_body'],
  }),
  signIn: rpc<SignInUserRequest, MemberSession>('billing.v1.sign_in_user', { errors: ['not_found'] }),
} as const;

export interface Member {
  user_id: string;
  email: string;
  role: MemberRole;
  created_at: string;
}

export interface Invitation {
  email: string;
  role: MemberRole;
  expires_at: string;
}

export interface MemberList {
  members: Member[];
  /** Those that wait. */
  invitations: Invitation[];
}

/** An account in which the person of a session works. */
export interface MemberAccount {
  account_id: string;
  name: string;
  role: MemberRole;
}

const REFUSALS = ['invalid_api_key', 'scope_required', 'invalid_body'] as const;

/** The members of the account whose key the request proves. Owners change them, and every member may leave. */
export const membersRpc = {
  list: rpc<PresentedKeyRequest, MemberList>('billing.v1.list_members', { errors: [...REFUSALS] }),
  invite: rpc<PresentedKeyRequest & { email: string; role: MemberRole }, MemberList>('billing.v1.invite_member', {
    errors: [...REFUSALS, 'rate_limited'],
  }),
  cancelInvitation: rpc<PresentedKeyRequest & { email: string }, MemberList>('billing.v1.cancel_invitation', {
    errors: [...REFUSALS, 'not_found'],
  }),
  setRole: rpc<PresentedKeyRequest & { user_id: string; role: MemberRole }, MemberList>('billing.v1.set_member_role', {
    errors: [...REFUSALS, 'not_found', 'rate_limited'],
  }),
  remove: rpc<PresentedKeyRequest & { user_id: string }, MemberList>('billing.v1.remove_member', {
    errors: [...REFUSALS, 'not_found'],
  }),
  /** Of the member whose session proves its key; none for the key of a program. */
  listAccounts: rpc<PresentedKeyRequest, { data: MemberAccount[] }>('billing.v1.list_own_accounts', {
    errors: ['invalid_api_key'],
  }),
  /** Opens a session in another account of the same member. */
  switchAccount: rpc<PresentedKeyRequest & { account_id: string }, MemberSession>('billing.v1.switch_account', {
    errors: ['invalid_api_key', 'not_found'],
  }),
} as const;

export interface InviteMemberRequest {
  account_id: string;
  email: string;
  role: MemberRole;
  actor?: string;
  reason?: string;
}

/** For operators. */
export const usersAdminRpc = {
  /** Also the first owner of an account that an operator has made. */
  invite: rpc<InviteMemberRequest, Invitation>('billing.v1.invite_user', {
    errors: ['not_found', 'invalid_body', 'rate_limited'],
  }),
  /** Deletes a person: the user, its memberships, links and e-mails. Accounts stay. */
  deleteUser: rpc<{ email: string; actor?: string; reason?: string }, { user_id: string; accounts: string[] }>(
    'billing.v1.delete_user',
    { errors: ['not_found', 'invalid_body'] },
  ),
} as const;
