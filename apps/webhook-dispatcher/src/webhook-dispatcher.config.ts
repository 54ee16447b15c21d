import { IsInt, Max, Min, ValidateIf } from 'class-validator';
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
    description:
      'Days after which completed deliveries, their bodies and their attempts are deleted one by one, unless KINORA_DELIVERY_RETENTION_DAYS is set.',
  })
  @IsInt()
  @Min(1)
  @Max(3_650)
  retentionDays = 30;

  @Setting({
    env: 'KINORA_DELIVERY_RETENTION_DAYS',
    description:
      'Days after which a month of deliveries is dropped as a whole, with bodies and attempts, and no row is deleted before. It costs less where there are many; 0 is off.',
  })
  @ValidateIf(({ deliveryRetentionDays }: WebhookDispatcherConfig) => deliveryRetentionDays !== 0)
  @IsInt()
  @Min(31)
  @Max(36_500)
  deliveryRetentionDays = 0;

  /** Otherwise rows stay until their month is dropped. */
  get deletesRows(): boolean {
    return this.deliveryRetentionDays === 0;
  }

  /** After it a month is dropped. */
  get retention(): { setting: string; retentionDays: number } {
    return this.deletesRows
      ? { setting: 'KINORA_WEBHOOK_RETENTION_DAYS', retentionDays: this.retentionDays }
      : { setting: 'KINORA_DELIVERY_RETENTION_DAYS', retentionDays: this.deliveryRetentionDays };
  }

  /** Deliveries that were written before this time may be pruned. */
  get forgetBefore(): Date {
    return new Date(Date.now() - this.retention.retentionDays * DAY_MS);
  }
}
