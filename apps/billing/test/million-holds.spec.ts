import { createHash } from 'node:crypto';
import path from 'node:path';
import { type CostLimits, MeasuredDatabase, numberedId, statementNames } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { DebtPause } from '../src/account/debt-pause';
import { AccountListRepository, AccountRepository } from '../src/account/account.repository';
import { HUMAN_RATE_ENTITIES } from '../src/storage.module';
import { AccountEntity } from '../src/account/account.entity';
import { StrikeStandingRepository } from '../src/account/strike-standing.repository';
import { WebhookSecretRepository } from '../src/account/webhook-secret.repository';
import { ApiKeyEntity } from '../src/api-key/api-key.entity';
import { ApiKeyRepository, PresentedKeyRepository } from '../src/api-key/api-key.repository';
import { KeyBudgetRepository } from '../src/api-key/key-budget.repository';
import { KeySpendRepository } from '../src/api-key/key-spend.repository';
import { ManagedKeyRepository } from '../src/api-key/managed-key.repository';
import { migrations } from '../src/migrations/migrations';
import { FIRST_OPEN, MANY, rangesOf, REVOKING, fillBilling } from './million-holds.fixtures';
import { worksOfCheckouts, worksOfCustomers, worksOfPayments } from './million-payments.fixtures';
import { worksOfClosings } from './million-closings.fixtures';
import { worksOfPeople } from './million-people.fixtures';
import { EMAILS_PRUNE_PAGE } from '../src/email/email.repository';
import { OperatorActionEntity } from '../src/operator/operator-action.entity';
import { AuditTrail } from '../src/operator/audit-trail.repository';
import { LINKS_PRUNE_PAGE, PortalLinkRepository } from '../src/api-key/portal-link.repository';
import { AdmissionRepository } from '../src/rate-limit/admission.repository';
import { LeaseRepository } from '../src/rate-limit/leases';
import { FundsRepository } from '../src/wallet/funds.repository';
import { HoldRepository } from '../src/wallet/hold.repository';
import { LedgerHourRepository } from '../src/wallet/ledger-hour.repository';
import { MonthStatementRepository } from '../src/wallet/month-statement.repository';
import { LedgerRepository } from '../src/wallet/ledger.repository';
import { ReservationRepository } from '../src/wallet/reservation.repository';
import { USER_LINKS_PRUNE_PAGE } from '../src/user/user-link.repository';
import { WalletRepository } from '../src/wallet/wallet.repository';

/** Statements that read a whole table by design. */
const AUDITS = [
  'ledger_allow_a_minute',
  'ledger_archive_count',
  'ledger_check_budgets',
  'ledger_check_checkouts',
  'ledger_check_disputes',
  'ledger_check_holds',
  'ledger_check_payments',
  'ledger_check_refunds',
  'ledger_checkpoint_find',
  'ledger_checkpoint_find_unread',
  'ledger_checkpoint_lock',
  'ledger_checkpoint_store',
  'ledger_find_entry_violations',
  'ledger_find_violations',
  'ledger_find_wallet_violations',
  'ledger_list_accounts',
  'ledger_read_stretches',
  'ledger_sum_books',
];
/** Counted for metrics, up to a limit. */
const COUNTS = ['hold_count_open'];
const FIRST_PAGE = { cursor: null, limit: 1_001 };
const KEYS_CHECKED = Array.from({ length: 1_000 }, (_, place) => place);
const SET = 32;
/** A few pages of the index of times of each range: with bounds of ids, the entries of a month would be read. */
const BY_TIME = ['ledger_hour_list_live', 'ledger_hour_sum_up'];
const LIMITS: CostLimits = {
  most: 350,
  // One row.
  readWhole: ['ledger_entry_id_seq'],
  // The range of the newest entries, one beside it, and the three that are made ahead.
  mostPlanned: 5,
  acrossPartitions: BY_TIME,
  // The last of them runs before the first hour is summed up.
  plannedForAll: [...BY_TIME, 'ledger_hour_find_first'],
  // Each row of a batch or a page is found by an index, and is written into every index of its table.
  mostOf: {
    // One account of 20,000. All of them fit into fewer pages than a statement may read.
    account_list_suspended: 20,
    api_key_note_use: SET * 20,
    // Two indexes, and the row of a valid key.
    api_key_list_valid_hashes: KEYS_CHECKED.length * 8,
    rate_bucket_admit: SET * 25,
    hold_reserve: SET * 15,
    hold_capture: SET * 35,
    hold_refund: SET * 35,
    hold_find: 1_000 * 6,
    // A page of expired rows, each of which is removed from every index.
    portal_link_prune: LINKS_PRUNE_PAGE * 7.5,
    user_link_prune: USER_LINKS_PRUNE_PAGE * 6,
    email_prune: EMAILS_PRUNE_PAGE * 2,
    // Twenty rows.
    checkout_claim: 20 * 25,
  },
};

describe('with a million holds', () => {
  let database: MeasuredDatabase;

  beforeAll(async () => {
    database = await MeasuredDatabase.create('billing', migrations, fillBilling, HUMAN_RATE_ENTITIES);
  }, 180_000);
  afterAll(() => database.close());

  it('every statement uses an index and reads few pages', async () => {
    for (const work of worksOf(database)) await work();
    expect(database.costlierThan(LIMITS)).toEqual([]);
    expect(database.unmeasured(statementNames(path.join(__dirname, '../src')))).toEqual([...COUNTS, ...AUDITS]);
  });
});

/** Input for each statement of the context. */
function worksOf(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  return [
    ...worksOfJobs(database),
    ...worksOfAccounts(database),
    ...worksOfKeys(database),
    ...worksOfPayments(database),
    ...worksOfPortal(database),
    ...worksOfCheckouts(database),
    ...worksOfCustomers(database),
    ...worksOfPeople(database),
    ...worksOfClosings(database),
  ];
}

function worksOfJobs(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const reservations = new ReservationRepository(database);
  const holds = new HoldRepository(database);
  const admissions = new AdmissionRepository(database);
  const places = Array.from({ length: SET }, (_, place) => place);
  const call = (account_id: string) => ({ account_id, job_id: uuidv7(), amount_micros: 1, api_key_id: account_id });
  return [
    async () => {
      const { closing_micros } = await new MonthStatementRepository(database).show(MANY, '2100-01');
      expect(closing_micros).toBe(7);
    },
    () =>
      Promise.all(places.map((place) => admissions.admit({ hash: hashOf(`${place + 7}`), tokens: 1, leaseTokens: 0 }))),
    () => Promise.all(places.map((place) => reservations.reserve(call(numberedId(place + 7))))),
    () => Promise.all(places.map(() => reservations.reserve(call(MANY)))),
    () => reservations.reserve({ ...call(MANY), job_id: numberedId(1) }),
    () => Promise.all(places.map((place) => reservations.capture(numberedId(FIRST_OPEN + place * 10)))),
    () => Promise.all(places.map((place) => reservations.refund(numberedId(FIRST_OPEN + place * 10 + 1)))),
    () => holds.findEnd(numberedId(7)),
    () => holds.bar(uuidv7()),
    async () =>
      expect(await holds.listOpen({ older_than_seconds: 60, after_job_id: null, limit: 500 })).toHaveLength(500),
    () => holds.listOpenOfAccount(numberedId(7), FIRST_PAGE),
    () => holds.listOpenOfAccount(numberedId(7), { cursor: numberedId(500_000), limit: 100 }),
    () => holds.find(Array.from({ length: 1_000 }, (_, index) => numberedId(index * 900 + 1))),
    () => holds.listCharging({ open_for_seconds: 60, after_job_id: numberedId(500_000), limit: 500 }),
    async () => expect(await new LedgerRepository(database).listLines(MANY, 100)).toHaveLength(100),
    async () => {
      const hours = new LedgerHourRepository(database);
      expect(await hours.sumUpNext()).toBe(true);
      expect((await hours.listDays(new Date(0))).length).toBeGreaterThan(0);
    },
    async () => expect(await new LedgerRepository(database).findOfJob(numberedId(7))).not.toEqual([]),
    async () => expect(await rangesOf(database).readGauge()).toHaveLength(2),
  ];
}

function worksOfAccounts(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const accounts = new AccountRepository(database.repository(AccountEntity), database);
  const wallets = new WalletRepository();
  const trail = new AuditTrail(database.repository(OperatorActionEntity));
  const secrets = new WebhookSecretRepository(database);
  const standings = new StrikeStandingRepository(database);
  const leases = new LeaseRepository(database);
  const id = uuidv7();
  const state = {
    account_id: MANY,
    strike_id: id,
    job_id: id,
    strikes: 3,
    limit: 3,
    window_days: 30,
    counted_at_us: 5,
  };
  const change = { kind: 'top_up', account_id: MANY, amount_micros: 10, reason: null } as const;
  return [
    () => accounts.insert(database, { id, name: 'new', rate_limit_rpm: 60, retention_days: 7 }),
    () => wallets.open(database, id, 5),
    () => wallets.changeBalance(database, change),
    () => wallets.changeBalance(database, { ...change, kind: 'credit', reference: null }),
    () => new DebtPause(accounts, trail).endIfPaid(database, MANY),
    () => accounts.assertExists(MANY),
    () => accounts.lock(database, MANY),
    () => accounts.getDetails(MANY),
    // A search reads more pages, but operators list at low rates.
    () => new AccountListRepository(database).list({ status: null, search: null, beforeId: null, limit: 21 }),
    async () =>
      expect(
        await new AccountListRepository(database).list({
          status: 'suspended',
          search: null,
          beforeId: null,
          limit: 21,
        }),
      ).toHaveLength(1),
    () => accounts.findWithKey(MANY, MANY),
    () => new AccountListRepository(database).findNames([MANY, REVOKING]),
    // An account whose keys are revoked but for one.
    () => leases.findOpen(REVOKING, MANY),
    () => leases.areOpen([MANY]),
    () => leases.giveBack({ api_key_id: MANY, leased_micros: 2, unused_micros: 1 }),
    () => accounts.setStatus(database, MANY, 'active', null),
    () => accounts.suspendForStrikes(database, numberedId(7), 'strikes'),
    () => accounts.setPriceGroup(database, MANY, 'resellers'),
    () => accounts.setLimits(database, MANY, { retention_days: 8 }),
    () => standings.noteAndReadLast(database, state),
    () => standings.noteLater(database, numberedId(7), 3, 2),
    () => standings.findTimes([numberedId(7)]),
    () => trail.record(database, 'top_up', { account_id: MANY, reason: 'why' }),
    () => trail.list(MANY, FIRST_PAGE),
    () => trail.list(MANY, { cursor: '500000', limit: 100 }),
    () => trail.assertRoom(database, MANY),
    () => trail.findLast(database, MANY, ['set_status']),
    () => secrets.retire(database, MANY, 24),
    () => secrets.endOldest(database, MANY, 3),
    () => secrets.issue(database, MANY),
    () => secrets.listValid(MANY),
    () => secrets.prune(),
    () => wallets.findReference(database, MANY, 'reference'),
    () => new LedgerRepository(database).listBefore(MANY, 100, { entryId: '500000', balanceBeforeMicros: 5 }),
    () => new FundsRepository(database).find(MANY, MANY),
  ];
}

function worksOfKeys(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const keys = new ApiKeyRepository(database.repository(ApiKeyEntity), database);
  const budgets = new KeyBudgetRepository();
  const managed = new ManagedKeyRepository(database);
  const id = uuidv7();
  const rights = {
    scope: 'account',
    allowed_models: null,
    expires_at: null,
    budget: null,
    member_role: null,
  } as const;
  const giver = {
    api_key_id: numberedId(6),
    cap_micros: 1_000,
    period: 'day',
    spent_micros: 0,
    period_start: '2026-11-20',
    given_by: null,
  } as const;
  const calling = { id, account_id: MANY, ...rights };
  const key = { id, account_id: MANY, name: 'new', prefix: 'knr_live_', hash: Buffer.from(id) };
  return [
    () => keys.insert(database, { ...key, scope: 'jobs', expires_at: null, allowed_models: null }),
    () => budgets.give(database, giver, { api_key_id: id, cap_micros: 10, period: 'day' }),
    () => budgets.takeBack(database, id),
    () => managed.getCaller({ account_id: MANY, api_key_id: id }).catch(() => null),
    () => managed.listManaged(calling, { cursor: null, limit: 100 }),
    () => managed.getManaged(database, calling, id),
    () => managed.listAccountKeys(database, MANY),
    () => managed.count(database, MANY),
    async () => {
      const spend = await new KeySpendRepository(database).list(
        MANY,
        { from: '2000-01-01', to: '2100-01-01' },
        null,
        101,
      );
      expect(spend).toHaveLength(1);
    },
    () => keys.findByFormerHash([Buffer.from('former')]),
    () =>
      keys.replaceSecret(database, numberedId(7), { hash: Buffer.from('seven'), prefix: 'knr', overlapSeconds: 60 }),
    () => keys.list(MANY, FIRST_PAGE),
    () => keys.list(MANY, { cursor: numberedId(500_000), limit: 100 }),
    () => keys.findAccount(MANY),
    () => keys.rehash(numberedId(9), Buffer.from('former'), Buffer.from('next')),
    () => keys.revoke(database, numberedId(8)),
    () => keys.noteUse(Array.from({ length: SET }, (_, place) => numberedId(place * 1_000 + 1))),
  ];
}

function worksOfPortal(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const presented = new PresentedKeyRepository(database);
  const links = new PortalLinkRepository(database);
  const link = { token_hash: hashOf('new'), account_id: MANY, scope: 'read', created_by: null } as const;
  return [
    async () => expect(await presented.find([hashOf('17')])).not.toBeNull(),
    async () => expect(await presented.listValid(KEYS_CHECKED.map((key) => hashOf(String(key))))).not.toEqual([]),
    () => presented.revokePortal(database, [hashOf('18')]),
    () => presented.revokePortalOfAccount(database, numberedId(19), MANY),
    () => links.insert(database, link, 60),
    async () => expect(await links.take(database, hashOf('19999'))).not.toBeNull(),
    async () => expect(await links.prune()).toBe(LINKS_PRUNE_PAGE),
  ];
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
