import { IsInt, Max, Min } from 'class-validator';
import { IsEgressAllow } from '@kinora/egress';
import { DatabaseServiceConfig, Setting } from '@kinora/service-kit';

const DAY_MS = 24 * 60 * 60_000;

export class WebhookDispatcherConfig extends DatabaseServiceConfig {
  @Setting({
    env: 'KINORA_EGRESS_ALLOW',
    description: 'Comma list of host:port or CIDR that webhooks may reach although private; for development only.',
  })
  @IsEgressAllow()
  egressAllow = '';

  @Setting({ env: 'KINORA_WEBHOOK_SLOTS', description: 'Delivery attempts that a process may run at the same time.' })
  @IsInt()
  @Min(1)
  @Max(1_000)
  slots = 256;

  @Setting({
    env: 'KINORA_WEBHOOK_RETENTION_DAYS',
    description: 'How long completed deliveries, their bodies and their attempts are kept.',
  })
  @IsInt()
  @Min(1)
  @Max(3_650)
  retentionDays = 30;

  /** Deliveries that were written before this time may be pruned. */
  get forgetBefore(): Date {
    return new Date(Date.now() - this.retentionDays * DAY_MS);
  }
}
