import { IsString, IsUrl, Matches, ValidateIf } from 'class-validator';
import { Setting } from '@kinora/service-kit';

/** `name@host`, or `Name <name@host>`. */
const SENDER = /^(?:[^<>\r\n]+ )?<?[^\s<>@]+@[^\s<>@]+>?$/;

/** How e-mail leaves. */
export class MailConfig {
  @Setting({
    env: 'KINORA_SMTP_URL',
    description:
      'SMTP server for e-mail to customers, smtps://user:password@host:465 or smtp://host:587; smtp:// demands STARTTLS unless the host is a loopback address or ?ignoreTLS=true is given. Empty sends no e-mail.',
    secret: true,
  })
  @Matches(/^(|smtps?:\/\/[^\s/?#]+.*)$/, { message: 'must begin with smtp:// or smtps:// and name a host' })
  smtpUrl = '';

  @Setting({
    env: 'KINORA_MAIL_DIR',
    description:
      'Folder that gets e-mail as .eml files where KINORA_SMTP_URL is empty; for trials, because operators then read its links. Refused in production.',
  })
  @IsString()
  folder = '';

  @Setting({
    env: 'KINORA_MAIL_FROM',
    description: 'Sender of e-mail, such as Kinora <no-reply@example.com>; required with KINORA_SMTP_URL.',
  })
  @ValidateIf(({ smtpUrl }: MailConfig) => smtpUrl !== '')
  @Matches(SENDER, { message: 'must be an address such as Kinora <no-reply@example.com>' })
  from = '';

  @Setting({
    env: 'KINORA_MAIL_CONSOLE_URL',
    description:
      "Address of the customers' pages in the browser, without a path, for links in e-mail; required with KINORA_SMTP_URL.",
  })
  @ValidateIf(({ smtpUrl, folder }: MailConfig) => smtpUrl !== '' || folder !== '')
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  consoleUrl = '';
}
