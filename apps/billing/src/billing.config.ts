import { IsIn, IsInt, IsNotEmpty, IsString, IsUrl, Matches, Max, Min, MinLength, ValidateIf } from 'class-validator';
import { DatabaseServiceConfig, Setting } from '@kinora/service-kit';

export class BillingConfig extends DatabaseServiceConfig {
  @Setting({
    env: 'KINORA_KEY_PEPPER',
    description:
      'Secret under which API keys are hashed, at least 32 characters. A new value makes every key unknown that is not rotated.',
    secret: true,
  })
  @IsString()
  @MinLength(32)
  keyPepper!: string;

  @Setting({
    env: 'KINORA_KEY_PEPPER_ACCEPTED',
    description:
      'A second pepper, under which keys are looked for too: the next one before a rotation, the previous one after it. A key that is found so is hashed anew under the first. Empty means none.',
    secret: true,
  })
  @Matches(/^(|[^]{32,})$/, { message: 'must be empty or at least 32 characters' })
  keyPepperAccepted = '';

  @Setting({
    env: 'KINORA_PAYMENTS',
    description:
      'Who charges accounts whose balance runs low: none, sandbox (which charges nobody, and says it did) or stripe.',
  })
  @IsIn(['none', 'sandbox', 'stripe'])
  payments: 'none' | 'sandbox' | 'stripe' = 'none';

  @Setting({
    env: 'KINORA_STRIPE_SECRET_KEY',
    description: 'Key of the Stripe account; needed as long as payments begun there are open.',
    secret: true,
  })
  @ValidateIf(({ payments }: BillingConfig) => payments === 'stripe')
  @IsNotEmpty()
  stripeSecretKey = '';

  @Setting({ env: 'KINORA_STRIPE_URL', description: "Address of Stripe's API." })
  @IsUrl({ protocols: ['https', 'http'], require_protocol: true, require_tld: false })
  stripeUrl = 'https://api.stripe.com';

  @Setting({
    env: 'KINORA_RECHARGE_RETRY_SECONDS',
    description: 'How long an account is left alone after a failed charge.',
  })
  @IsInt()
  @Min(1)
  @Max(86_400)
  rechargeRetrySeconds = 60;
}
