import { IsOneOf, IsText, IsTimeText, Optional } from '../shared/field-rules';
import { PageQuery } from '../shared/page.query';
import { DELIVERY_STATUSES, type DeliveryStatus } from './webhooks.rpc';

/** The query of (API: GET /webhooks/deliveries). */
export class ListDeliveriesQuery extends PageQuery {
  /** Only deliveries of this job. */
  @Optional()
  @IsText({ min: 1, max: 64 })
  job_id?: string;

  /** Only deliveries in this state. */
  @Optional()
  @IsOneOf(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  /** Only deliveries to this host; with its port, such as `example.com:8443`, unless that is 443. */
  @Optional()
  @IsText({ min: 1, max: 260 })
  host?: string;

  /** Only deliveries that were created at this time or later: RFC 3339, UTC where it has no offset, or `YYYY-MM-DD`. */
  @Optional()
  @IsTimeText()
  since?: string;
}
