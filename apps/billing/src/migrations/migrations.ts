import type { Migration } from '@kinora/database';
import { Baseline1795876200000 } from './20261128T1430-baseline';
import { AddCheckouts1795916340000 } from './20261129T0139-add-checkouts';
import { AddDebts1795917720000 } from './20261129T0202-add-debts';
import { WidenLedgerMoves1795917780000 } from './20261129T0203-widen-ledger-moves';
import { AddReversals1795917840000 } from './20261129T0204-add-reversals';
import { ValidateLedgerMoves1795917900000 } from './20261129T0205-validate-ledger-moves';

export const migrations: Migration[] = [
  Baseline1795876200000,
  AddCheckouts1795916340000,
  AddDebts1795917720000,
  WidenLedgerMoves1795917780000,
  AddReversals1795917840000,
  ValidateLedgerMoves1795917900000,
];
