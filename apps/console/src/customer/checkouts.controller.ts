import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { type Card, cardsRpc } from '@kinora/contracts/billing/cards.rpc';
import {
  type Checkout,
  checkoutRpc,
  type Rehearsal,
  rehearsalRpc,
  type TopUpOffer,
} from '@kinora/contracts/billing/checkout.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyRequest } from 'fastify';
import { addressGroup } from '../../../../libs/service-kit/src/http/connection-limit';
import { ConsoleConfig } from '../console.config';
import { booleanField, textField, valueOf } from '../http/body-fields';
import { CurrentSession } from '../session/session.hook';
import type { Session } from '../session/sessions';
import { KeyRights } from './key-rights';

/** Payments by the page of the payment provider. Amount, provider and account are billing's to decide; the page only names an amount. */
@Controller('admin/v1/customer')
export class CheckoutsController {
  constructor(
    private readonly rights: KeyRights,
    private readonly config: ConsoleConfig,
  ) {}

  @Get('top-up-offer')
  showOffer(@CurrentSession() session: Session): Promise<TopUpOffer> {
    return this.rights.request(checkoutRpc.showOffer, session, {});
  }

  @Post('checkouts')
  create(@CurrentSession() session: Session, @Req() request: FastifyRequest, @Body() body: unknown): Promise<Checkout> {
    return this.rights.request(checkoutRpc.create, session, {
      amount_micros: integerField(body, 'amount_micros'),
      saves_card: booleanField(body, 'saves_card'),
      address: addressGroup(request.ip),
      return_url: `${this.config.portalOrigin}/money/top-ups`,
      ...(session.member_email !== null && { receipt_email: session.member_email }),
    });
  }

  @Get('checkouts/:id')
  show(@CurrentSession() session: Session, @Param('id') payment_id: string): Promise<Checkout> {
    return this.rights.request(checkoutRpc.show, session, { payment_id });
  }

  /** The saved cards, which the payment provider keeps. */
  @Get('cards')
  listCards(@CurrentSession() session: Session): Promise<{ data: Card[] }> {
    return this.rights.request(cardsRpc.list, session, {});
  }

  @Delete('cards/:id')
  async removeCard(
    @CurrentSession() session: Session,
    @Param('id') card_id: string,
  ): Promise<{ card_id: string; removed: true }> {
    await this.rights.request(cardsRpc.remove, session, { card_id });
    return { card_id, removed: true };
  }

  @Get('rehearsals/:id')
  showRehearsal(@CurrentSession() session: Session, @Param('id') payment_id: string): Promise<Rehearsal> {
    return this.rights.request(rehearsalRpc.show, session, { payment_id });
  }

  @Post('rehearsals/:id')
  @HttpCode(200)
  payRehearsal(
    @CurrentSession() session: Session,
    @Param('id') payment_id: string,
    @Body() body: unknown,
  ): Promise<{ outcome: 'paid' | 'declined' | 'needs_confirmation' }> {
    return this.rights.request(rehearsalRpc.pay, session, {
      payment_id,
      card: textField(body, 'card', 100),
      is_confirmed: booleanField(body, 'is_confirmed'),
    });
  }
}

/** Billing checks the range. */
function integerField(body: unknown, field: string): number {
  const value = valueOf(body, field);
  if (Number.isSafeInteger(value)) return Number(value);
  throw new ApiError('invalid_body', `${field} must be a whole number.`, { param: field });
}
