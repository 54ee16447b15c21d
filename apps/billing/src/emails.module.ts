import { Module } from '@nestjs/common';
import { EmailSender } from './background/email-sender';
import { Emails } from './email/emails';
import { EmailRepository } from './email/email.repository';
import { StorageModule } from './storage.module';
import { ListEmails } from './use-cases/list-emails.query';
import { SendEmails } from './use-cases/send-emails.use-case';
import { MoneyEmails } from './user/money-emails';

/** E-mail to customers. Other features queue theirs by `Emails`. */
@Module({
  imports: [StorageModule],
  providers: [Emails, MoneyEmails, EmailRepository, SendEmails, ListEmails, EmailSender],
  exports: [Emails, MoneyEmails, EmailRepository, ListEmails],
})
export class EmailsModule {}
