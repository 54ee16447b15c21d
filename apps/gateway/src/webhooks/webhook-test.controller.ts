import { Body, Controller, HttpCode, HttpStatus, Post } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { maxBodyBytes } from '@kinora/contracts/shared/json-size';
import { accountDeliveriesRpc } from '@kinora/contracts/webhooks/account-deliveries.rpc';
import type { WebhookDelivery } from '@kinora/contracts/webhooks/account-delivery';
import { TestWebhookBody } from '@kinora/contracts/webhooks/test-webhook.body';
import { CurrentCaller } from '../http/caller.decorator';
import { readBodyAs } from '../http/read-fields';
import { type ReceivedBody } from '../http/received-body';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';

@Controller('webhooks/test')
export class WebhookTestController {
  constructor(private readonly bus: Bus) {}

  @Post()
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
  send(
    @CurrentCaller() { account_id, api_key_id }: Admission,
    @Body() { value }: ReceivedBody,
  ): Promise<WebhookDelivery> {
    const { url } = readBodyAs(TestWebhookBody, value);
    return this.bus.request(accountDeliveriesRpc.sendTest, { account_id, api_key_id, url });
  }
}
