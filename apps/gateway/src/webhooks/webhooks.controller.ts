import { Body, Controller, Get, HttpCode, HttpStatus, Post, Query } from '@nestjs/common';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { maxBodyBytes } from '@kinora/contracts/shared/json-size';
import {
  accountDeliveriesRpc,
  ListDeliveriesQuery,
  TestWebhookBody,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
  type WebhookDeliveryList,
} from '@kinora/contracts/webhooks/account-deliveries.rpc';
import { Bus } from '@kinora/bus';
import { AddressedId, CurrentCaller } from '../http/parameters.decorator';
import { PAGE_PARAMS, readBodyAs, readPageAs } from '../http/read-fields';
import type { ReceivedBody } from '../http/received-body';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';

const LIST_PARAMS = [
  'job_id',
  'status',
  'host',
  'since',
  ...PAGE_PARAMS,
] as const satisfies (keyof ListDeliveriesQuery)[];

/** The webhook deliveries of an account, for its keys of the scope `account`. */
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly bus: Bus) {}

  @Get('deliveries')
  @RoutePolicy({ scope: 'account', query: LIST_PARAMS })
  @Operation({
    operationId: 'listDeliveries',
    tag: 'Webhooks',
    summary: 'List deliveries',
    description:
      'The webhook deliveries of the account, newest first. They are kept for 30 days, unless the operator says otherwise.',
    answers: { 200: 'A page of deliveries.' },
    query: ListDeliveriesQuery,
    errors: accountDeliveriesRpc.list.errors,
  })
  list(@CurrentCaller() { account_id }: Admission, @Query() query: unknown): Promise<WebhookDeliveryList> {
    return this.bus.request(accountDeliveriesRpc.list, { account_id, ...readPageAs(ListDeliveriesQuery, query) });
  }

  @Get('deliveries/:id')
  @RoutePolicy({ scope: 'account' })
  @Operation({
    operationId: 'getDelivery',
    tag: 'Webhooks',
    summary: 'Get a delivery',
    description: 'A delivery with each of its attempts, and what the receiver answered.',
    answers: { 200: 'The delivery.' },
    errors: accountDeliveriesRpc.get.errors,
  })
  get(
    @CurrentCaller() { account_id }: Admission,
    @AddressedId('delivery') delivery_id: string,
  ): Promise<WebhookDeliveryDetails> {
    return this.bus.request(accountDeliveriesRpc.get, { account_id, delivery_id });
  }

  @Post('deliveries/:id/redeliver')
  @HttpCode(HttpStatus.OK)
  @RoutePolicy({ scope: 'account' })
  @Operation({
    operationId: 'redeliver',
    tag: 'Webhooks',
    summary: 'Deliver an event once more',
    description:
      'Sends the same event with the same bytes, as a new delivery on its own schedule. Receivers recognise it by the id of the ' +
      'event. An account may request 60 redeliveries and test events an hour.',
    answers: { 200: 'The new delivery.' },
    errors: accountDeliveriesRpc.redeliver.errors,
  })
  redeliver(
    @CurrentCaller() { account_id, api_key_id }: Admission,
    @AddressedId('delivery') delivery_id: string,
  ): Promise<WebhookDelivery> {
    return this.bus.request(accountDeliveriesRpc.redeliver, { account_id, api_key_id, delivery_id });
  }

  @Post('test')
  @HttpCode(HttpStatus.OK)
  @RoutePolicy({ scope: 'account', takesJson: true, bodyMaxBytes: maxBodyBytes(TestWebhookBody) })
  @Operation({
    operationId: 'testWebhook',
    tag: 'Webhooks',
    summary: 'Send a test event',
    description:
      'Sends a `job.succeeded` of a job that does not exist, signed and retried like any other. Its id begins with `evt_test_`. ' +
      '`GET /webhooks/deliveries/{id}` shows what became of it. An account may request 60 redeliveries and test events an hour.',
    answers: { 200: 'The delivery.' },
    body: TestWebhookBody,
    errors: accountDeliveriesRpc.sendTest.errors,
  })
  sendTest(
    @CurrentCaller() { account_id, api_key_id }: Admission,
    @Body() { value }: ReceivedBody,
  ): Promise<WebhookDelivery> {
    const { url } = readBodyAs(TestWebhookBody, value);
    return this.bus.request(accountDeliveriesRpc.sendTest, { account_id, api_key_id, url });
  }
}
