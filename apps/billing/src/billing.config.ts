import { IsString, MinLength } from 'class-validator';
import { DatabaseServiceConfig, Setting } from '@kinora/service-kit';

export class BillingConfig extends DatabaseServiceConfig {
  @Setting({
    env: 'KINORA_KEY_PEPPER',
    description: 'Secret under which API keys are hashed, at least 32 characters. A new value makes every key unknown.',
    secret: true,
  })
  @IsString()
  @MinLength(32)
  keyPepper!: string;
}
