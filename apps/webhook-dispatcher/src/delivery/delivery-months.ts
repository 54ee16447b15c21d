import { Injectable } from '@nestjs/common';
import { Database, FollowingTable, GaugeSampler, OpenMonths, type PartitionRow, statement } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { WebhookDispatcherConfig } from '../webhook-dispatcher.config';

/** For so long a delivery whose last attempt has failed counts as a failure of its endpoint. */
export const FAILED_DAYS = 7;

/** The partial indexes of one partition answer each condition at its first row. */
const isOpen = (deliveries: string): string => `
  SELECT EXISTS (SELECT FROM ${deliveries} WHERE status = 'pending')
      OR EXISTS (SELECT FROM ${deliveries}
                  WHERE status = 'exhausted' AND completed_at >= statement_timestamp() - interval '${FAILED_DAYS} days') AS is_open`;

/** The months of deliveries. One with a pending delivery, or one that has just failed, is read by claims and not dropped. */
@Injectable()
export class DeliveryMonths extends OpenMonths {
  constructor(
    config: WebhookDispatcherConfig,
    database: Database,
    sampler: GaugeSampler,
    @InjectLogger() logger: Logger,
  ) {
    super(
      {
        name: 'delivery',
        ...config.retention,
        stays:
          'Nothing: a dropped delivery is neither listed nor repeated. A month stays while a delivery of it is pending.',
      },
      { database, sampler, logger },
    );
  }

  protected override async isOpen({ name }: PartitionRow): Promise<boolean> {
    return (await this.parts.database.findOne<{ is_open: boolean }>(statement('', isOpen(name))))?.is_open === true;
  }

  protected override async prepareDrop(partition: PartitionRow): Promise<boolean> {
    return !(await this.isOpen(partition));
  }
}

/** The months of attempts, each of which is dropped after that of their deliveries. */
@Injectable()
export class AttemptMonths extends FollowingTable {
  constructor(
    config: WebhookDispatcherConfig,
    database: Database,
    sampler: GaugeSampler,
    @InjectLogger() logger: Logger,
  ) {
    super('delivery', { name: 'attempt', ...config.retention, stays: 'Nothing.' }, { database, sampler, logger });
  }
}
