import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import type { Page } from '@kinora/contracts/shared/page';
import {
  type AttemptDetails,
  type DeliveryDetails,
  type DeliveryStatus,
  type FailingEndpoint,
  webhooksRpc,
} from '@kinora/contracts/webhooks/webhooks.rpc';
import { reasonField, textField, uuidField } from '../../http/body-fields';
import { AuditTrail } from '../audit/audit-trail';
import { CurrentOperator, type Operator, OperatorBus } from '../users/operator';
import { PERMISSIONS_OF_ROLE, Requires } from '../users/permissions';
import { type ListQuery, limitOf, textsOf, toPage } from './query-fields';

type Listed<Item> = Omit<Page<Item>, 'object'>;

/** Deliveries of webhooks, and the hosts that fail. */
@Controller('admin/v1/operator/webhooks')
export class OperatorWebhooksController {
  constructor(
    private readonly bus: OperatorBus,
    private readonly audit: AuditTrail,
  ) {}

  @Get('failing')
  @Requires('view')
  async listFailing(@Query() query: ListQuery): Promise<Listed<FailingEndpoint>> {
    const filter = { ...textsOf(query, 'account_id', 'cursor'), ...limitOf(query) };
    return toPage(await this.bus.request(webhooksRpc.listFailingEndpoints, filter));
  }

  @Get('deliveries')
  @Requires('view')
  async listDeliveries(@CurrentOperator() by: Operator, @Query() query: ListQuery): Promise<Listed<DeliveryDetails>> {
    const { status, ...sought } = textsOf(query, 'account_id', 'job_id', 'event_id', 'status', 'cursor');
    const ofStatus = status === undefined ? {} : { status: status as DeliveryStatus };
    const filter = { ...sought, ...ofStatus, ...limitOf(query) };
    const { data, ...page } = await this.bus.request(webhooksRpc.listDeliveries, filter);
    return toPage({ ...page, data: data.map((delivery) => redactDelivery(delivery, by)) });
  }

  @Get('deliveries/:id')
  @Requires('view')
  async showDelivery(
    @CurrentOperator() by: Operator,
    @Param('id', ParseUUIDPipe) delivery_id: string,
  ): Promise<{ delivery: DeliveryDetails; attempts: AttemptDetails[] }> {
    const { delivery, attempts } = await this.bus.request(webhooksRpc.getDelivery, { delivery_id });
    return { delivery: redactDelivery(delivery, by), attempts };
  }

  @Post('deliveries/:id/redeliver')
  @HttpCode(200)
  @Requires('redeliver')
  redeliver(
    @CurrentOperator() by: Operator,
    @Param('id', ParseUUIDPipe) delivery_id: string,
    @Body() body: unknown,
  ): Promise<DeliveryDetails> {
    const reason = reasonField(body);
    return this.audit.run(by, { action: 'redeliver', target: delivery_id, reason }, () =>
      this.bus.request(webhooksRpc.redeliver, { delivery_id }),
    );
  }

  /** Delivers again what an account has missed since a time. */
  @Post('recoveries')
  @HttpCode(200)
  @Requires('redeliver')
  recover(@CurrentOperator() by: Operator, @Body() body: unknown): Promise<{ recovered: number }> {
    const [account_id, since] = [uuidField(body, 'account_id'), textField(body, 'since', 40)];
    const reason = reasonField(body);
    const entry = { action: 'recover_deliveries', account_id, target: account_id, reason, after: { since } };
    return this.audit.run(by, entry, () => this.bus.request(webhooksRpc.recoverDeliveries, { account_id, since }));
  }
}

/** The path and the query of an address can hold a secret of the customer, as its prompts can. The host is on the page of failing hosts. */
function redactDelivery(delivery: DeliveryDetails, { role }: Operator): DeliveryDetails {
  if (delivery.url === '' || PERMISSIONS_OF_ROLE[role].has('view_media')) return delivery;
  return { ...delivery, url: `${new URL(delivery.url).origin}/[hidden]` };
}
