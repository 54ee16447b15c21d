import { rpc } from '../shared/contract';
import type { PageRequest, PartialList } from '../shared/page';

/** An e-mail as operators see it. */
export interface ShownEmail {
  email_id: string;
  /** Its cause, such as `sign_up`. */
  kind: string;
  recipient: string;
  account_id: string | null;
  subject: string;
  state: 'waiting' | 'sent' | 'given_up';
  attempts: number;
  /** Of the last attempt; null where it succeeded. */
  failure: string | null;
  created_at: string;
  sent_at: string | null;
  /** Its text, where e-mail goes to a folder for trials; null elsewhere, because links in it sign in. */
  text: string | null;
}

export interface MailCheck {
  transport: 'smtp' | 'folder' | 'none';
  /** Why e-mail cannot be sent now; null if the server answers. */
  problem: string | null;
}

export const emailRpc = {
  /** Newest first, those of the last week, at most 20 a page. */
  list: rpc<PageRequest, PartialList<ShownEmail>>('billing.v1.list_emails', { errors: ['invalid_body'] }),
  /** Connects to the mail server and signs in, without sending. */
  check: rpc<Record<string, never>, MailCheck>('billing.v1.check_mail'),
} as const;
