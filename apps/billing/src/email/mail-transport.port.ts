import type { EmailTexts } from './email-content';

export interface OutgoingEmail extends EmailTexts {
  id: string;
  recipient: string;
  subject: string;
}

/** The way of e-mail out of the service. */
export interface MailTransport {
  readonly name: 'smtp' | 'folder';
  /** Whether operators may read what was sent: the links in it sign in. */
  readonly isReadable: boolean;
  /** Resolves when the server has accepted it. @throws MailRefused where a repetition is useless */
  send(email: OutgoingEmail): Promise<void>;
  /** Connects and signs in without sending. */
  check(): Promise<void>;
}

/** The server refuses the recipient or the message for good. */
export class MailRefused extends Error {}
