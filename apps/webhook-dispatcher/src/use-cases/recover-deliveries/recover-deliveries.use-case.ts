import { Injectable } from '@nestjs/common';
import { parseTimeText } from '@kinora/contracts/shared/time-text';
import { WakeUp } from '@kinora/service-kit';
import { DeliveryRepository } from '../../delivery/delivery.repository';
import { assertUuid, invalidField } from '../../delivery/request-problem';

/** One statement copies a page with the bodies, so the page is small enough to hold its locks briefly. */
const PAGE = 500;

export interface RecoverDeliveriesRequest {
  account_id: string;
  since: string;
}

/** Redelivers what an account's receivers have missed. A repeated request makes no second redelivery. */
@Injectable()
export class RecoverDeliveries {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly wakeUp: WakeUp<'deliver'>,
  ) {}

  async execute({ account_id, since }: RecoverDeliveriesRequest): Promise<{ recovered: number }> {
    assertUuid('account_id', account_id);
    const from = parseTimeText(since);
    if (from === null) throw invalidField('since', 'a time as of RFC 3339, or a date');
    let recovered = 0;
    // An event whose redelivery is pending is not found again.
    for (let page = PAGE; page === PAGE; recovered += page) {
      const lost = await this.deliveries.findLost(account_id, from, PAGE);
      page = (await this.deliveries.redeliver(lost)).length;
    }
    this.wakeUp.notify('deliver');
    return { recovered };
  }
}
