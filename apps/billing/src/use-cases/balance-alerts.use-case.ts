import { Injectable } from '@nestjs/common';
import type { BalanceAlert } from '@kinora/contracts/billing/own-money.rpc';
import type { Micros } from '@kinora/contracts/shared/money';
import { Database, type Queryable, statement } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { assertInteger } from '../operator/operator-input';
import { lowBalanceEmail, MoneyEmails } from '../user/money-emails';

const SHOW = statement(
  'balance_alert_show',
  `SELECT threshold_micros, coalesce(available_micros < threshold_micros, false) AS is_below, owed_micros
   FROM wallet LEFT JOIN balance_alert USING (account_id) WHERE account_id = $1`,
);
const SET = statement(
  'balance_alert_set',
  `INSERT INTO balance_alert (account_id, threshold_micros) VALUES ($1, $2)
   ON CONFLICT (account_id) DO UPDATE SET threshold_micros = excluded.threshold_micros, crossed_at = NULL`,
);
const REMOVE = statement('balance_alert_remove', 'DELETE FROM balance_alert WHERE account_id = $1');

/** A balance that rises above the threshold again makes the next crossing another one. */
const NOTE_CROSSINGS = statement(
  'balance_alert_note_crossings',
  `UPDATE balance_alert SET crossed_at = CASE WHEN available_micros < threshold_micros THEN now() END
   FROM wallet
   WHERE wallet.account_id = balance_alert.account_id
     AND (available_micros < threshold_micros) IS DISTINCT FROM (crossed_at IS NOT NULL)
   RETURNING balance_alert.account_id, threshold_micros, crossed_at`,
);

interface Crossing {
  account_id: string;
  threshold_micros: Micros;
  crossed_at: Date | null;
}

/** Warns customers of a low balance, below a threshold of their own. */
@Injectable()
export class BalanceAlerts {
  constructor(
    private readonly database: Database,
    private readonly emails: MoneyEmails,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async show(accountId: string): Promise<BalanceAlert> {
    const alert = await this.database.findOne<BalanceAlert>(SHOW, [accountId]);
    if (!alert) throw new Error(`account ${accountId} has no wallet`);
    return alert;
  }

  async set(request: { account_id: string; threshold_micros: Micros | null }): Promise<BalanceAlert> {
    const { account_id, threshold_micros } = request;
    if (threshold_micros === null) await this.database.execute(REMOVE, [account_id]);
    else {
      assertInteger(request, 'threshold_micros');
      await this.database.execute(SET, [account_id, threshold_micros]);
    }
    return this.show(account_id);
  }

  /**
   * Tells the members who see the money, once a crossing.
   * @returns the accounts whose balance has fallen below the threshold since the last call, of any process.
   */
  noteCrossings(): Promise<string[]> {
    return this.database.transaction(async (transaction) => {
      const crossings = await transaction.query<Crossing>(NOTE_CROSSINGS);
      const fallen = crossings.filter(({ crossed_at }) => crossed_at !== null);
      for (const crossing of fallen) await this.tell(transaction, crossing);
      return fallen.map(({ account_id }) => account_id);
    });
  }

  private async tell(transaction: Queryable, { account_id, threshold_micros }: Crossing): Promise<void> {
    this.logger.info({ account_id, threshold_micros }, 'balance_fell_below_threshold');
    await this.emails.queue(transaction, account_id, lowBalanceEmail(threshold_micros));
  }
}
