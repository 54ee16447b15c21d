import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { BillingConfig } from '../billing.config';
import { emailsEnded } from '../billing.metrics';
import { Emails } from '../email/emails';
import { type ClaimedEmail, EmailRepository } from '../email/email.repository';
import { MailRefused, type MailTransport } from '../email/mail-transport.port';
import { openTexts } from '../email/sealed-texts';

const RETRY_SECONDS = 5;
const RETRY_MAX_SECONDS = 600;
/** The links in an e-mail have expired by then. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60_000;

/** Sends due e-mails, each at least once: a crash after the server's answer sends it again under the same Message-ID. */
@Injectable()
export class SendEmails {
  constructor(
    private readonly emails: Emails,
    private readonly repository: EmailRepository,
    private readonly config: BillingConfig,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @returns how many were due */
  async execute(): Promise<number> {
    const { transport } = this.emails;
    if (transport === null) return 0;
    const claimed = await this.repository.claim();
    await Promise.all(claimed.map((email) => this.send(transport, email)));
    return claimed.length;
  }

  private async send(transport: MailTransport, email: ClaimedEmail): Promise<void> {
    const { id, kind, recipient, subject, sealed } = email;
    const texts = sealed && openTexts(this.config, id, sealed);
    if (!texts) return this.giveUp(email, 'sealed under a pepper that is not configured any more');
    try {
      await transport.send({ id, recipient, subject, ...texts });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const isOver = error instanceof MailRefused || Date.now() - email.created_at.getTime() > GIVE_UP_AFTER_MS;
      if (isOver) return this.giveUp(email, reason);
      this.logger.warn({ email_id: id, kind, reason, attempts: email.attempts }, 'email_not_sent');
      const seconds = Math.min(RETRY_SECONDS * 2 ** (email.attempts - 1), RETRY_MAX_SECONDS);
      return this.repository.postpone(id, reason, seconds);
    }
    await this.repository.markSent(id, { keepsTexts: transport.isReadable });
    emailsEnded.inc({ outcome: 'sent' });
  }

  private async giveUp({ id, kind }: ClaimedEmail, reason: string): Promise<void> {
    this.logger.error({ email_id: id, kind, reason }, 'email_given_up');
    await this.repository.giveUp(id, reason);
    emailsEnded.inc({ outcome: 'given_up' });
  }
}
