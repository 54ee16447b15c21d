import { Controller, Headers, HttpCode, HttpStatus, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import Stripe from 'stripe';
import { paymentEventRpc } from '@kinora/contracts/billing/checkout.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Bus } from '@kinora/bus';
import { GatewayConfig } from '../gateway.config';
import { CALLBACK_BODY_BYTES } from '../http/body-budget';
import { stripeEvents } from '../http/http.metrics';
import type { ReceivedBody } from '../http/received-body';
import { RoutePolicy } from '../http/route-policy';

/** How old a signature may be. Stripe signs each attempt anew, so an event that is late by days has a fresh one. */
const TOLERANCE_SECONDS = 300;

/**
 * Takes Stripe's webhooks. Only a verified event reaches billing, which looks up the object that it names. Clients do not call it,
 * so the API reference leaves it out.
 */
@Controller('stripe')
export class StripeEventsController {
  constructor(
    private readonly bus: Bus,
    private readonly config: GatewayConfig,
  ) {}

  /** @throws ApiError not_found without a secret, invalid_body for a wrong signature; capacity, after which Stripe retries */
  @Post('webhooks')
  @HttpCode(HttpStatus.OK)
  @RoutePolicy({ access: 'event', takesBytes: true, bodyMaxBytes: CALLBACK_BODY_BYTES })
  async receive(@Req() { body }: FastifyRequest, @Headers('stripe-signature') signature: unknown): Promise<void> {
    if (this.config.stripeWebhookSecret === '') throw new ApiError('not_found', 'There is no such endpoint.');
    const { type, account, data } = this.verify(body ?? {}, signature) ?? {};
    const { id } = (data?.object ?? {}) as { id?: unknown };
    // Events of connected accounts concern payments that this installation has not begun; thin events carry no object.
    const isOwn = account === undefined && typeof type === 'string' && typeof id === 'string';
    const { handled } = isOwn
      ? await this.bus.request(paymentEventRpc.receive, { provider: 'stripe', type, object_id: id })
      : { handled: false };
    stripeEvents.inc({ outcome: handled ? 'handled' : 'ignored' });
  }

  /** Any JSON that the secret has signed. @throws ApiError invalid_body */
  private verify({ value }: Partial<ReceivedBody>, signature: unknown): Partial<Stripe.Event> | null {
    try {
      if (!Buffer.isBuffer(value) || typeof signature !== 'string') throw new Error('nothing is signed');
      return Stripe.webhooks.constructEvent(value, signature, this.config.stripeWebhookSecret, TOLERANCE_SECONDS);
    } catch {
      stripeEvents.inc({ outcome: 'refused' });
      throw new ApiError('invalid_body', 'The signature in Stripe-Signature does not fit the body, or is too old.');
    }
  }
}
