import { Readable } from 'node:stream';
import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { type BillingDetails, billingDetailsRpc } from '@kinora/contracts/billing/billing-details.rpc';
import {
  type BalanceAlert,
  type KeySpendList,
  keySpendRpc,
  ownMoneyRpc,
  type SetOwnAutoRechargeRequest,
  type ShownAutoRecharge,
  type ShownPayment,
} from '@kinora/contracts/billing/own-money.rpc';
import type { MonthStatement } from '@kinora/contracts/billing/statement';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isRecord } from '@kinora/contracts/shared/texts';
import type { Micros } from '@kinora/contracts/shared/money';
import type { PartialList } from '@kinora/contracts/shared/page';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentSession } from '../session/session.hook';
import type { Session } from '../session/sessions';
import { KeyRights } from './key-rights';
import { OpenAnswers } from './gateway/open-answers';
import { ExportCsv, keySpendCsv } from './money/export-csv.query';

const CSV = 'text/csv; charset=utf-8';

type AutoRechargeChange = Omit<SetOwnAutoRechargeRequest, 'key_sha256'>;

const FIELDS = ['enabled', 'threshold_micros', 'amount_micros', 'monthly_cap_micros', 'card_id'];

/**
 * Money beyond the public API: payments, recharges, and lists as files. Billing decides what the session's key may see and
 * change.
 */
@Controller('admin/v1/customer')
export class MoneyController {
  constructor(
    private readonly rights: KeyRights,
    private readonly csv: ExportCsv,
    private readonly answers: OpenAnswers,
  ) {}

  @Get('payments')
  listPayments(
    @CurrentSession() session: Session,
    @Query('cursor') cursor?: string,
  ): Promise<PartialList<ShownPayment>> {
    return this.rights.request(ownMoneyRpc.listPayments, session, cursor === undefined ? {} : { cursor });
  }

  /** What jobs in flight hold of the account's money, which the public API shows as spent already. */
  @Get('held')
  showHeld(@CurrentSession() session: Session): Promise<{ held_micros: Micros }> {
    return this.rights.request(ownMoneyRpc.showHeld, session, {});
  }

  /** What each key has spent in the last days. @throws ApiError invalid_query */
  @Get('key-spend')
  async listKeySpend(@CurrentSession() session: Session, @Query('days') days?: string): Promise<KeySpendList> {
    const period = days === undefined ? {} : { days: readDays(days) };
    return this.rights.request(keySpendRpc.listSpend, session, period);
  }

  @Get('balance-alert')
  showBalanceAlert(@CurrentSession() session: Session): Promise<BalanceAlert> {
    return this.rights.request(ownMoneyRpc.showBalanceAlert, session, {});
  }

  /** Billing checks the threshold; null asks for no warning. */
  @Post('balance-alert')
  @HttpCode(200)
  setBalanceAlert(@CurrentSession() session: Session, @Body() body: unknown): Promise<BalanceAlert> {
    const { threshold_micros = null } = isRecord(body) ? body : {};
    return this.rights.request(ownMoneyRpc.setBalanceAlert, session, {
      threshold_micros: threshold_micros as Micros | null,
    });
  }

  /** Null where it was never configured. */
  @Get('auto-recharge')
  showAutoRecharge(@CurrentSession() session: Session): Promise<{ auto_recharge: ShownAutoRecharge | null }> {
    return this.rights.request(ownMoneyRpc.showAutoRecharge, session, {});
  }

  @Post('auto-recharge')
  @HttpCode(200)
  async setAutoRecharge(
    @CurrentSession() session: Session,
    @Body() body: unknown,
  ): Promise<{ auto_recharge: ShownAutoRecharge }> {
    return { auto_recharge: await this.rights.request(ownMoneyRpc.setAutoRecharge, session, readChange(body)) };
  }

  @Get('billing-details')
  showBillingDetails(@CurrentSession() session: Session): Promise<{ billing_details: BillingDetails | null }> {
    return this.rights.request(billingDetailsRpc.show, session, {});
  }

  /** Billing checks the fields. */
  @Post('billing-details')
  @HttpCode(200)
  setBillingDetails(
    @CurrentSession() session: Session,
    @Body() body: unknown,
  ): Promise<{ billing_details: BillingDetails }> {
    const { name, address, tax_id = null } = (isRecord(body) ? body : {}) as Partial<BillingDetails>;
    return this.rights.request(billingDetailsRpc.set, session, { name, address, tax_id } as BillingDetails);
  }

  @Get('statements/:month')
  async showMonth(@CurrentSession() session: Session, @Param('month') month: string): Promise<MonthStatement> {
    return this.rights.request(ownMoneyRpc.showMonth, session, { month: readMonth(month) });
  }

  @Get('usage.csv')
  async usage(
    @CurrentSession() session: Session,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const signal = this.answers.begin(session.id, reply);
    const [, query] = request.url.split('?', 2);
    const text = await this.csv.usage(session, query === undefined ? '' : `?${query}`, signal);
    await sendFile(reply, 'usage.csv', text);
  }

  @Get('statement.csv')
  async statement(
    @CurrentSession() session: Session,
    @Res() reply: FastifyReply,
    @Query('month') month?: string,
  ): Promise<void> {
    const signal = this.answers.begin(session.id, reply);
    const shown = month === undefined ? null : await this.showMonth(session, month);
    const lines = await this.csv.statement(session, shown, signal);
    await sendFile(reply, 'statement.csv', Readable.from(lines));
  }

  @Get('key-spend.csv')
  async keySpend(
    @CurrentSession() session: Session,
    @Res() reply: FastifyReply,
    @Query('days') days?: string,
  ): Promise<void> {
    await sendFile(reply, 'key-spend.csv', keySpendCsv(await this.listKeySpend(session, days)));
  }
}

async function sendFile(reply: FastifyReply, name: string, content: string | Readable): Promise<void> {
  await reply.headers({ 'Content-Type': CSV, 'Content-Disposition': `attachment; filename="${name}"` }).send(content);
}

/** Billing checks the range. A repeated parameter is an array. */
function readDays(days: unknown): number {
  if (typeof days === 'string' && /^\d{1,9}$/.test(days)) return Number(days);
  throw new ApiError('invalid_query', 'days must be a whole number.', { param: 'days' });
}

function readMonth(month: unknown): string {
  if (typeof month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return month;
  throw new ApiError('invalid_query', 'month must be such as 2026-11.', { param: 'month' });
}

/** Billing checks the values. */
function readChange(body: unknown): AutoRechargeChange {
  const fields = isRecord(body) ? body : {};
  const unknown = Object.keys(fields).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined)
    throw new ApiError('invalid_body', `${unknown} is not a field of this body.`, { param: unknown });
  if (typeof fields.enabled !== 'boolean')
    throw new ApiError('invalid_body', 'enabled must be true or false.', { param: 'enabled' });
  return fields as unknown as AutoRechargeChange;
}
