import { IsIn, IsInt, IsNotEmpty, IsString, IsUrl, Matches, Max, Min, MinLength, ValidateIf } from 'class-validator';
import { DatabaseServiceConfig, Setting, SettingGroup } from '@kinora/service-kit';
import { MailConfig } from './email/mail.config';
import { SignUpConfig } from './user/sign-up.config';

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
      'A second pepper that is also accepted: the next one before a rotation, the previous one after it. A key that matches it is rehashed with the first pepper. Empty means none.',
    secret: true,
  })
  @Matches(/^(|[^]{32,})$/, { message: 'must be empty or at least 32 characters' })
  keyPepperAccepted = '';

  @Setting({
    env: 'KINORA_PAYMENTS',
    description: 'Payment provider for auto-recharge: none, sandbox (simulates charges) or stripe.',
  })
  @IsIn(['none', 'sandbox', 'stripe'])
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

  @SettingGroup(MailConfig)
  mail = new MailConfig();

  @SettingGroup(SignUpConfig)
  signUp = new SignUpConfig();
}
