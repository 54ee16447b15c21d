import { Readable } from 'node:stream';
import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { KeySpendList, ShownAutoRecharge, ShownPayment } from '@kinora/contracts/billing/own-money.rpc';
import type { Micros } from '@kinora/contracts/shared/money';
import type { PartialList } from '@kinora/contracts/shared/page';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentSession } from '../session/session.hook';
import type { Session } from '../session/sessions';
import { OpenAnswers } from './gateway/open-answers';
import { AccountMoney } from './money/account-money';
import { ExportCsv, keySpendCsv } from './money/export-csv.query';

const CSV = 'text/csv; charset=utf-8';

/** Money beyond the public API: payments, recharges, and lists as files. */
@Controller('admin/v1/customer')
export class MoneyController {
  constructor(
    private readonly money: AccountMoney,
    private readonly csv: ExportCsv,
    private readonly answers: OpenAnswers,
  ) {}

  @Get('payments')
  listPayments(
    @CurrentSession() session: Session,
    @Query('cursor') cursor?: string,
  ): Promise<PartialList<ShownPayment>> {
    return this.money.listPayments(session, cursor);
  }

  @Get('held')
  showHeld(@CurrentSession() session: Session): Promise<{ held_micros: Micros }> {
    return this.money.showHeld(session);
  }

  @Get('key-spend')
  listKeySpend(@CurrentSession() session: Session, @Query('days') days?: string): Promise<KeySpendList> {
    return this.money.listKeySpend(session, days);
  }

  @Get('auto-recharge')
  showAutoRecharge(@CurrentSession() session: Session): Promise<{ auto_recharge: ShownAutoRecharge | null }> {
    return this.money.showAutoRecharge(session);
  }

  @Post('auto-recharge')
  @HttpCode(200)
  setAutoRecharge(
    @CurrentSession() session: Session,
    @Body() body: unknown,
  ): Promise<{ auto_recharge: ShownAutoRecharge }> {
    return this.money.setAutoRecharge(session, body);
  }

  @Get('usage.csv')
  async usage(
    @CurrentSession() session: Session,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const signal = this.begin(session, reply);
    const [, query] = request.url.split('?', 2);
    const text = await this.csv.usage(session, query === undefined ? '' : `?${query}`, signal);
    await sendFile(reply, 'usage.csv', text);
  }

  @Get('statement.csv')
  async statement(@CurrentSession() session: Session, @Res() reply: FastifyReply): Promise<void> {
    const signal = this.begin(session, reply);
    const lines = await this.csv.statement(session, signal);
    await sendFile(reply, 'statement.csv', Readable.from(lines));
  }

  @Get('key-spend.csv')
  async keySpend(
    @CurrentSession() session: Session,
    @Res() reply: FastifyReply,
    @Query('days') days?: string,
  ): Promise<void> {
    await sendFile(reply, 'key-spend.csv', keySpendCsv(await this.money.listKeySpend(session, days)));
  }

  private begin(session: Session, reply: FastifyReply): AbortSignal {
    const { controller, ended } = this.answers.begin(session.id);
    reply.raw.once('close', () => {
      controller.abort();
      ended();
    });
    return controller.signal;
  }
}

async function sendFile(reply: FastifyReply, name: string, content: string | Readable): Promise<void> {
  await reply.headers({ 'Content-Type': CSV, 'Content-Disposition': `attachment; filename="${name}"` }).send(content);
}
