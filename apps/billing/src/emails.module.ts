import { Module } from '@nestjs/common';
import { EmailSender } from './background/email-sender';
import { Emails } from './email/emails';
import { EmailRepository } from './email/email.repository';
import { ListEmails } from './use-cases/list-emails.query';
import { SendEmails } from './use-cases/send-emails.use-case';

/** E-mail to customers. Other features queue theirs by `Emails`. */
@Module({
  providers: [Emails, EmailRepository, SendEmails, ListEmails, EmailSender],
  exports: [Emails, EmailRepository, ListEmails],
})
export class EmailsModule {}
