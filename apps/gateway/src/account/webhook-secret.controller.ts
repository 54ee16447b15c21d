import { Body, Controller, HttpCode, HttpStatus, Post } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { OverlapBody } from '@kinora/contracts/billing/overlap.body';
import { type IssuedWebhookSecret, selfServiceRpc } from '@kinora/contracts/billing/self-service.rpc';
import { CurrentCaller } from '../http/caller.decorator';
import { readOptionalBodyAs } from '../http/read-fields';
import { type ReceivedBody } from '../http/received-body';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';

@Controller('account/webhook-secret')
export class WebhookSecretController {
  constructor(private readonly bus: Bus) {}

  @Post('rotate')
  @HttpCode(HttpStatus.OK)
  @RoutePolicy({ scope: 'account', takesJson: true, isBodyOptional: true })
  @Operation({
    operationId: 'rotateWebhookSecret',
    tag: 'Account',
    summary: 'Rotate the webhook secret',
    description:
      'The new secret is in this response only. For `overlap_seconds` the previous one signs beside it, with a `v1` of its own; ' +
      'of several former secrets the newest three do.',
    answers: { 200: 'The new secret.' },
    body: OverlapBody,
    errors: selfServiceRpc.rotateWebhookSecret.errors,
  })
  rotate(
    @CurrentCaller() { account_id, api_key_id }: Admission,
    @Body() body: ReceivedBody | undefined,
  ): Promise<IssuedWebhookSecret> {
    const { overlap_seconds = 0 } = readOptionalBodyAs(OverlapBody, body);
    return this.bus.request(selfServiceRpc.rotateWebhookSecret, { account_id, api_key_id, overlap_seconds });
  }
}
