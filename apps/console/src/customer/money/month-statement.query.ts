import { Injectable } from '@nestjs/common';
import { type BillingDetails, billingDetailsRpc } from '@kinora/contracts/billing/billing-details.rpc';
import type { StatementEntry } from '@kinora/contracts/billing/statement';
import type { Micros } from '@kinora/contracts/shared/money';
import type { Session } from '../../session/sessions';
import { KeyRights } from '../key-rights';
import { StatementPages } from './statement-pages';

/** The opening balance, the entries, what was charged and what is reserved add up to the closing balance. */
export interface MonthStatement {
  month: string;
  billing_details: BillingDetails | null;
  opening_micros: Micros;
  closing_micros: Micros;
  charged_jobs: number;
  charged_micros: Micros;
  /** The change of what jobs in flight hold. */
  reserved_micros: Micros;
  /** The moves other than those of jobs, oldest first. */
  entries: StatementEntry[];
}

/** Sums up the statement of a month, such as 2026-11, for its paper. */
@Injectable()
export class ShowMonthStatement {
  constructor(
    private readonly rights: KeyRights,
    private readonly api: StatementPages,
  ) {}

  async execute(session: Session, month: string, signal: AbortSignal): Promise<MonthStatement> {
    const { billing_details } = await this.rights.request(billingDetailsRpc.show, session, {});
    const sums = { charged_jobs: 0, charged_micros: 0, reserved_micros: 0, entries: [] as StatementEntry[] };
    let closing_micros: Micros | null = null;
    let opening_micros = 0;
    for await (const entry of this.api.list(session, signal)) {
      const isOlder = entry.created_at < month;
      if (!isOlder && !entry.created_at.startsWith(month)) continue;
      closing_micros ??= entry.balance_after_micros;
      if (isOlder) {
        opening_micros = entry.balance_after_micros;
        break;
      }
      count(sums, entry);
    }
    return { month, billing_details, opening_micros, closing_micros: closing_micros ?? 0, ...sums };
  }
}

function count(
  sums: Pick<MonthStatement, 'charged_jobs' | 'charged_micros' | 'reserved_micros' | 'entries'>,
  entry: StatementEntry,
): void {
  const { kind, amount_micros } = entry;
  if (kind === 'reserve') sums.reserved_micros += amount_micros;
  else if (kind === 'refund') sums.reserved_micros -= amount_micros;
  else if (kind === 'capture') {
    sums.reserved_micros -= amount_micros;
    sums.charged_micros += amount_micros;
    sums.charged_jobs += 1;
  } else sums.entries.unshift(entry);
}
