import { Module } from '@nestjs/common';
import { AlertWatch, LedgerSums } from './background/billing-loops';
import { HoldGauges, LedgerWatch } from './background/ledger-watch';
import { EmailsModule } from './emails.module';
import { StorageModule } from './storage.module';
import { AdjustBalance, BalanceChange, GrantCredit, TopUp } from './use-cases/change-balance.use-case';
import { BalanceAlerts } from './use-cases/balance-alerts.use-case';
import { CloseLedgerMonth } from './use-cases/close-ledger-month.use-case';
import { CheckFunds } from './use-cases/check-funds.query';
import { Capture, Refund } from './use-cases/end-hold.use-case';
import { FindHolds } from './use-cases/find-holds.query';
import { ListLedgerDays } from './use-cases/list-ledger-days.query';
import { GetStatement, ListAccountStatement } from './use-cases/list-statement.query';
import { ReadLedgerMonth } from './use-cases/read-ledger-month.query';
import { RecordLedgerExport, ShowLedgerMonth } from './use-cases/record-ledger-export.use-case';
import { Reserve } from './use-cases/reserve.use-case';
import { ShowMonth } from './use-cases/show-month.query';
import { VerifyLedger } from './use-cases/verify-ledger.use-case';
import { FundsRepository } from './wallet/funds.repository';
import { LedgerArchive } from './wallet/ledger-archive';
import { LedgerHourRepository, LedgerRounds } from './wallet/ledger-hour.repository';
import { LedgerRanges } from './wallet/ledger-ranges';
import { MonthStatementRepository } from './wallet/month-statement.repository';
import { ReservationRepository } from './wallet/reservation.repository';

const JOBS = [CheckFunds, Reserve, Capture, Refund, FindHolds];
const BALANCES = [TopUp, GrantCredit, AdjustBalance, BalanceAlerts];
const LEDGER = [
  ...[GetStatement, ListAccountStatement, ShowMonth, ListLedgerDays, VerifyLedger],
  ...[ReadLedgerMonth, ShowLedgerMonth, RecordLedgerExport],
];

/** Wallets, the holds of jobs, and the ledger. */
@Module({
  imports: [StorageModule, EmailsModule],
  providers: [
    ...JOBS,
    ...BALANCES,
    ...LEDGER,
    BalanceChange,
    ReservationRepository,
    FundsRepository,
    LedgerHourRepository,
    MonthStatementRepository,
    LedgerRounds,
    LedgerSums,
    LedgerArchive,
    LedgerRanges,
    CloseLedgerMonth,
    LedgerWatch,
    HoldGauges,
    AlertWatch,
  ],
  exports: [...JOBS, ...BALANCES, ...LEDGER, LedgerRanges],
})
export class MoneyModule {}
