import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { type Micros, MICROS_PER_USD } from '@kinora/contracts/shared/money';
import { DatabaseServiceConfig, Setting, SettingGroup } from '@kinora/service-kit';

/** `name@host`, or `Name <name@host>`. */
const SENDER = /^(?:[^<>\r\n]+ )?<?[^\s<>@]+@[^\s<>@]+>?$/;

/** How e-mail leaves. */
class MailConfig {
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

/** Who may become a customer without an operator. */
class SignUpConfig {
  @Setting({
    env: 'KINORA_SIGN_UP',
    description:
      'Who can make a user: off, invited (by a member of an account or an operator) or open (any e-mail address). Needs e-mail.',
  })
  @IsIn(['off', 'invited', 'open'])
  mode: 'off' | 'invited' | 'open' = 'off';

  @Setting({
    env: 'KINORA_SIGN_UP_CREDIT_MICROS',
    description: 'Free credit of an account that a sign-up makes, in millionths of a dollar; a person gets it once.',
  })
  @IsInt()
  @Min(0)
  @Max(1_000_000_000)
  creditMicros = 0;

  @Setting({
    env: 'KINORA_SIGN_UPS_PER_DOMAIN',
    description: 'Sign-ups per hour with addresses of one domain.',
  })
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  perDomain = 100;
}

/** Validates the suggestions: whole dollars that a customer may pay in. */
function AreTopUps(): PropertyDecorator {
  const validate = (value: unknown, args?: { object: object }): boolean => {
    const { topUpMinUsd, topUpMaxUsd } = (args?.object ?? {}) as BillingConfig;
    if (typeof value !== 'string' || !/^\d+(,\d+)*$/.test(value) || topUpMinUsd > topUpMaxUsd) return false;
    return numbersOf(value).every((usd) => usd >= topUpMinUsd && usd <= topUpMaxUsd);
  };
  const defaultMessage = () =>
    '$property must be whole dollars from KINORA_TOP_UP_MIN_USD to KINORA_TOP_UP_MAX_USD, the smaller of which comes first';
  return ValidateBy({ name: 'areTopUps', validator: { validate, defaultMessage } });
}

function numbersOf(list: string): number[] {
  return list.split(',').map(Number);
}

/** Validates the provider: in production, customers would top up for nothing. */
function IsNoRehearsalInProduction(): PropertyDecorator {
  const validate = (value: unknown, args?: { object: object }): boolean =>
    value !== 'sandbox' || (args?.object as BillingConfig).profile !== 'production';
  const defaultMessage = () =>
    'sandbox is refused where KINORA_PROFILE is production: customers would top up for nothing';
  return ValidateBy({ name: 'isNoRehearsalInProduction', validator: { validate, defaultMessage } });
}

export class BillingConfig extends DatabaseServiceConfig {
  @Setting({
    env: 'KINORA_KEY_PEPPER',
    description:
      'Secret pepper of the API key hashes, at least 32 characters. Changing it without a rotation invalidates all existing keys.',
    secret: true,
  })
  @IsString()
  @MinLength(32)
  keyPepper!: string;

  @Setting({
    env: 'KINORA_KEY_PEPPER_ACCEPTED',
    description:
      'A second pepper that is also accepted: the next one before a rotation, the previous one after it. A key that matches it is rehashed with the first pepper; people who had a sign-up credit are recognised by it as long as it stays. Empty means none.',
    secret: true,
  })
  @Matches(/^(|[^]{32,})$/, { message: 'must be empty or at least 32 characters' })
  keyPepperAccepted = '';

  /** The peppers under which a stored hash may have been made, the current one first. */
  get peppers(): string[] {
    return this.keyPepperAccepted === '' ? [this.keyPepper] : [this.keyPepper, this.keyPepperAccepted];
  }

  @Setting({
    env: 'KINORA_PAYMENTS',
    description: 'Payment provider of customers: none, sandbox (simulates charges; refused in production) or stripe.',
  })
  @IsIn(['none', 'sandbox', 'stripe'])
  @IsNoRehearsalInProduction()
  payments: 'none' | 'sandbox' | 'stripe' = 'none';

  @Setting({
    env: 'KINORA_STRIPE_SECRET_KEY',
    description: 'Secret key of the Stripe account; required as long as payments that were begun there are open.',
    secret: true,
  })
  @ValidateIf(({ payments }: BillingConfig) => payments === 'stripe')
  @IsNotEmpty()
  stripeSecretKey = '';

  @Setting({ env: 'KINORA_STRIPE_URL', description: "URL of Stripe's API." })
  @IsUrl({ protocols: ['https', 'http'], require_protocol: true, require_tld: false })
  stripeUrl = 'https://api.stripe.com';

  @Setting({
    env: 'KINORA_RECHARGE_RETRY_SECONDS',
    description: 'Seconds until a failed charge of an account is retried.',
  })
  @IsInt()
  @Min(1)
  @Max(86_400)
  rechargeRetrySeconds = 60;

  @Setting({ env: 'KINORA_STRIPE_TAX', description: 'Whether Stripe adds tax to what customers pay in.' })
  @IsBoolean()
  stripeTax = false;

  @Setting({
    env: 'KINORA_TOP_UP_MIN_USD',
    description: 'The least that a customer may pay in at once, in whole dollars.',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  topUpMinUsd = 5;

  @Setting({
    env: 'KINORA_TOP_UP_MAX_USD',
    description: 'The most that a customer may pay in at once, in whole dollars.',
  })
  @IsInt()
  @Min(1)
  @Max(100_000)
  topUpMaxUsd = 1_000;

  @Setting({
    env: 'KINORA_TOP_UP_SUGGESTIONS_USD',
    description: 'Comma-separated list of the amounts that customers are offered, in whole dollars.',
  })
  @AreTopUps()
  topUpSuggestionsUsd = '10,25,50,100';

  get topUpBounds(): { min_micros: Micros; max_micros: Micros; suggestions_micros: Micros[] } {
    return {
      min_micros: this.topUpMinUsd * MICROS_PER_USD,
      max_micros: this.topUpMaxUsd * MICROS_PER_USD,
      suggestions_micros: numbersOf(this.topUpSuggestionsUsd).map((usd) => usd * MICROS_PER_USD),
    };
  }

  @Setting({
    env: 'KINORA_LEDGER_CLOSE_AFTER_DAYS',
    description: 'Days after the end of a month in UTC until its part of the ledger closes.',
  })
  @IsInt()
  @Min(1)
  @Max(365)
  ledgerCloseAfterDays = 3;

  @Setting({
    env: 'KINORA_LEDGER_RETENTION_MONTHS',
    description:
      'Months after which the entries of a closed and exported month of the ledger are dropped; 0 keeps them for ever. Balances, references and receipts stay.',
  })
  @ValidateIf(({ ledgerRetentionMonths }: BillingConfig) => ledgerRetentionMonths !== 0)
  @IsInt()
  @Min(1)
  @Max(1_200)
  ledgerRetentionMonths = 0;

  @SettingGroup(MailConfig)
  mail = new MailConfig();

  @SettingGroup(SignUpConfig)
  signUp = new SignUpConfig();
}
