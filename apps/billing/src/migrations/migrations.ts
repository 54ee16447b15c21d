import type { Migration } from '@kinora/database';
import { CreateAccount1795165200000 } from './20261120T0900-create-account';
import { CreateWallet1795165800000 } from './20261120T0910-create-wallet';
import { CreateRateBucket1795166400000 } from './20261120T0920-create-rate-bucket';
import { AddKeyLimits1795167000000 } from './20261120T0930-add-key-limits';
import { WidenLedger1795167600000 } from './20261120T0940-widen-ledger';
import { CountGrantedTokens1795185000000 } from './20261120T1430-count-granted-tokens';
import { CreatePayment1795185600000 } from './20261120T1440-create-payment';
import { CreateInbox1795201200000 } from './20261120T1900-create-inbox';
import { OrderStrikeStandings1795209600000 } from './20261120T2120-order-strike-standings';
import { KeepHotTablesLean1795213200000 } from './20261120T2220-keep-hot-tables-lean';
import { CheckMovesAtOnce1795221600000 } from './20261121T0040-check-moves-at-once';
import { SlimMoneyIndexes1795222200000 } from './20261121T0050-slim-money-indexes';
import { AddLedgerReference1795352400000 } from './20261122T1300-add-ledger-reference';
import { IndexPrunableRows1795353000000 } from './20261122T1310-index-prunable-rows';
import { KeepLedgerCheckpoints1795357800000 } from './20261122T1430-keep-ledger-checkpoints';
import { IndexBudgetedHolds1795358400000 } from './20261122T1440-index-budgeted-holds';
import { LeaseTokens1795374420000 } from './20261122T1907-lease-tokens';
import { IndexAccountStatus1795374600000 } from './20261122T1910-index-account-status';
import { AddKeyScopes1795385040000 } from './20261122T2204-add-key-scopes';
import { LetKeysManageKeys1795385700000 } from './20261122T2215-let-keys-manage-keys';
import { IndexManagedKeys1795387020000 } from './20261122T2237-index-managed-keys';
import { SumLedgerHours1795397520000 } from './20261123T0132-sum-ledger-hours';
import { CreatePortalLink1795399920000 } from './20261123T0212-create-portal-link';
import { CountKeySpend1795424940000 } from './20261123T0909-count-key-spend';
import { CountEndedGifts1795541820000 } from './20261124T1737-count-ended-gifts';
import { IndexOpenBudgetedHolds1795541880000 } from './20261124T1738-index-open-budgeted-holds';

export const migrations: Migration[] = [
  CreateAccount1795165200000,
  CreateWallet1795165800000,
  CreateRateBucket1795166400000,
  AddKeyLimits1795167000000,
  WidenLedger1795167600000,
  CountGrantedTokens1795185000000,
  CreatePayment1795185600000,
  CreateInbox1795201200000,
  OrderStrikeStandings1795209600000,
  KeepHotTablesLean1795213200000,
  CheckMovesAtOnce1795221600000,
  SlimMoneyIndexes1795222200000,
  AddLedgerReference1795352400000,
  IndexPrunableRows1795353000000,
  KeepLedgerCheckpoints1795357800000,
  IndexBudgetedHolds1795358400000,
  LeaseTokens1795374420000,
  IndexAccountStatus1795374600000,
  AddKeyScopes1795385040000,
  LetKeysManageKeys1795385700000,
  IndexManagedKeys1795387020000,
  SumLedgerHours1795397520000,
  CreatePortalLink1795399920000,
  CountKeySpend1795424940000,
  CountEndedGifts1795541820000,
  IndexOpenBudgetedHolds1795541880000,
];
