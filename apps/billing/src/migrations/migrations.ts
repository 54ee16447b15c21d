import type { Migration } from '@kinora/database/without-nest';
import { Baseline1795876200000 } from './20261128T1430-baseline';
import { AddCheckouts1795916340000 } from './20261129T0139-add-checkouts';
import { AddEmails1795916400000 } from './20261129T0140-add-emails';
import { AddUsers1795917480000 } from './20261129T0158-add-users';
import { MarkSessionKeys1795917540000 } from './20261129T0159-mark-session-keys';
import { AddDebts1795917720000 } from './20261129T0202-add-debts';
import { WidenLedgerMoves1795917780000 } from './20261129T0203-widen-ledger-moves';
import { AddReversals1795917840000 } from './20261129T0204-add-reversals';
import { ValidateLedgerMoves1795917900000 } from './20261129T0205-validate-ledger-moves';
import { IndexPaymentReferences1795931700000 } from './20261129T0555-index-payment-references';
import { AddCardWarnings1795937700000 } from './20261129T0735-add-card-warnings';
import { AddBillingDetails1795937760000 } from './20261129T0736-add-billing-details';
import { AddPriceGroups1795938060000 } from './20261129T0741-add-price-groups';
import { LetRefundsOwe1795949100000 } from './20261129T1045-let-refunds-owe';
import { AddLedgerClosings1795949160000 } from './20261129T1046-add-ledger-closings';
import { BoundFirstLedgerEntries1795962600000 } from './20261129T1430-bound-first-ledger-entries';
import { ValidateFirstLedgerEntries1795962660000 } from './20261129T1431-validate-first-ledger-entries';
import { PartitionLedger1795962720000 } from './20261129T1432-partition-ledger';
import { ArchiveLedgerMonths1795973700000 } from './20261129T1735-archive-ledger-months';

export const migrations: Migration[] = [
  Baseline1795876200000,
  AddCheckouts1795916340000,
  AddEmails1795916400000,
  AddUsers1795917480000,
  MarkSessionKeys1795917540000,
  AddDebts1795917720000,
  WidenLedgerMoves1795917780000,
  AddReversals1795917840000,
  ValidateLedgerMoves1795917900000,
  IndexPaymentReferences1795931700000,
  AddCardWarnings1795937700000,
  AddBillingDetails1795937760000,
  AddPriceGroups1795938060000,
  LetRefundsOwe1795949100000,
  AddLedgerClosings1795949160000,
  BoundFirstLedgerEntries1795962600000,
  ValidateFirstLedgerEntries1795962660000,
  PartitionLedger1795962720000,
  ArchiveLedgerMonths1795973700000,
];
