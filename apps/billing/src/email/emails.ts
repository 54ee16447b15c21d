import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '@kinora/database';
import { ConfigError, InjectLogger, type Logger } from '@kinora/service-kit';
import { BillingConfig } from '../billing.config';
import { type EmailContent, toSubject, writeEmail } from './email-content';
import { EmailRepository } from './email.repository';
import { MailFolder } from './mail-folder.provider';
import type { MailTransport } from './mail-transport.port';
import { sealTexts } from './sealed-texts';
import { SmtpTransport } from './smtp.provider';

/** An e-mail that a change causes. */
export interface NewEmail {
  /** Its cause, such as `sign_up`. */
  kind: string;
  recipient: string;
  /** Null for a recipient who has none yet. */
  account_id: string | null;
  content: EmailContent;
}

/** Queues e-mail in the transaction of its cause (transactional outbox); `EmailSender` sends it. */
@Injectable()
export class Emails {
  /** Null where no e-mail can be sent. */
  readonly transport: MailTransport | null;

  constructor(
    private readonly config: BillingConfig,
    private readonly repository: EmailRepository,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.transport = transportOf(config);
  }

  /** Without a way out, nothing is stored: a later setting must not send old e-mail. */
  async queue(transaction: Queryable, { kind, recipient, account_id, content }: NewEmail): Promise<void> {
    if (this.transport === null) return this.logger.warn({ kind }, 'email_without_transport');
    const id = uuidv7();
    const sealed = sealTexts(this.config, id, writeEmail(content));
    const subject = toSubject(content.subject);
    await this.repository.insert(transaction, { id, kind, recipient, account_id, subject, sealed });
  }

  /** An address of the customers' pages. No request has a say in its host. */
  linkTo(path: `/${string}`): string {
    return new URL(this.config.mail.consoleUrl).origin + path;
  }
}

function transportOf({ mail, signUp, profile }: BillingConfig): MailTransport | null {
  if (signUp.mode !== 'off' && mail.smtpUrl === '' && mail.folder === '')
    throw new ConfigError(`KINORA_SIGN_UP: ${signUp.mode} needs e-mail, so set KINORA_SMTP_URL`);
  if (mail.smtpUrl !== '') return new SmtpTransport(mail);
  if (mail.folder === '') return null;
  if (profile === 'production')
    throw new ConfigError('KINORA_MAIL_DIR: is refused in production, because operators read the links in it');
  return new MailFolder(mail.folder, mail.from);
}
