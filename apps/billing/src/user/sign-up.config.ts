import { IsIn, IsInt, Max, Min } from 'class-validator';
import { Setting } from '@kinora/service-kit';

/** Who may become a customer without an operator. */
export class SignUpConfig {
  @Setting({
    env: 'KINORA_SIGN_UP',
    description:
      'Who can make a user: off, invited (by a member of an account or an operator) or open (everybody with an e-mail address). Needs e-mail.',
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
