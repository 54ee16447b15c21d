import type { LinkPurpose } from '@kinora/contracts/billing/users.rpc';
import type { EmailContent } from '../email/email-content';

/** How long each link works, in seconds. */
export const LINK_TTL_SECONDS: Record<LinkPurpose, number> = {
  sign_up: 24 * 60 * 60,
  reset: 60 * 60,
  invitation: 7 * 24 * 60 * 60,
};

const PAGES: Record<LinkPurpose, string> = { sign_up: '/welcome', reset: '/reset', invitation: '/invitation' };

/** The page of a link. The token stands after the #, so that no server logs it. */
export function pathOf(purpose: LinkPurpose, token: string): `/${string}` {
  return `${PAGES[purpose] as `/${string}`}#token=${token}`;
}

const ONCE = 'The link works once. It proves that the address is yours, so do not pass it on.';
const IGNORE = 'If you did not ask for this, ignore it: nothing changes.';

export function signUpEmail(url: string): EmailContent {
  return {
    subject: 'Confirm your e-mail address',
    paragraphs: ['Confirm your address and choose a password. The link works for a day.', ONCE],
    link: { label: 'Confirm the address', url },
    reason: `You get this because this address was used to sign up. ${IGNORE}`,
  };
}

/** @param isSignUp whether it was a sign-up with an address that has a user already */
export function resetEmail(url: string, isSignUp: boolean): EmailContent {
  const known = 'This address has a user already. Sign in with your password, or choose a new one.';
  return {
    subject: isSignUp ? 'You have signed up already' : 'Choose a new password',
    paragraphs: [
      isSignUp ? known : 'Choose a new password. It signs out every browser.',
      `It works for an hour. ${ONCE}`,
    ],
    link: { label: 'Choose a password', url },
    reason: `You get this because this address was entered. ${IGNORE}`,
  };
}

/** It names no account: a stranger could write anything into that name. */
export function invitationEmail(url: string, role: string): EmailContent {
  return {
    subject: 'An invitation to an account',
    paragraphs: [`You are invited to work in an account, with the role ${role}. The link works for a week.`, ONCE],
    link: { label: 'Accept the invitation', url },
    reason: `You get this because an owner of the account gave this address. ${IGNORE}`,
  };
}
