import { BaselineMigration } from '@kinora/database/without-nest';
import {
  ACCOUNT,
  API_KEY,
  OPERATOR_ACTION,
  PORTAL_LINK,
  RATE_BUCKET,
  STRIKES,
  WEBHOOK_SECRET,
} from './baseline/account';
import { HOLD, KEY_SPEND, LEDGER_ENTRY, LEDGER_GUARD, LEDGER_SUMS, PAYMENT, WALLET } from './baseline/money';

/**
 * Why: accounts with their keys, and their money.
 * Lock: none, the tables are new. Way back: none, it is the first migration.
 */
export class Baseline1795876200000 extends BaselineMigration {
  readonly name = 'Baseline1795876200000';
  readonly replaces = 'IndexOpenBudgetedHolds1795541880000';
  protected readonly schema = [
    ...[ACCOUNT, API_KEY, PORTAL_LINK, WEBHOOK_SECRET, RATE_BUCKET, STRIKES],
    ...[WALLET, HOLD, PAYMENT, LEDGER_ENTRY, LEDGER_GUARD, LEDGER_SUMS, KEY_SPEND],
    // After the ledger, whose guard it shares.
    OPERATOR_ACTION,
  ];
}
