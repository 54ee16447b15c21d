import { type Database, type GaugeSampler, type Reading, statement } from '@kinora/database';
import { createTestLog, fillTable, numberedId, numberedIdSql, type TestDatabase } from '@kinora/testing';
import { BillingConfig } from '../src/billing.config';
import { LedgerArchive } from '../src/wallet/ledger-archive';
import { LedgerHourRepository } from '../src/wallet/ledger-hour.repository';
import { LedgerRanges } from '../src/wallet/ledger-ranges';

/** The ids of entries have gaps, so that a million take five partitions, the last one has room, and two months fit into one. */
const IDS_PER_JOB = 49;
/** Jobs are of a year. */
const SECONDS_PER_JOB = 30;

/** The account of most of the million jobs; other busy accounts have a hundred each. */
export const MANY = numberedId(1);

const JOBS = 1_000_000;
const OPEN_JOBS = 10_000;
export const FIRST_OPEN = JOBS - OPEN_JOBS + 1;
const ACCOUNTS = 20_000;
/** The number of the only suspended account, which is one of the oldest. */
const SUSPENDED = 5;
/** The account of many revoked keys, each of which had a bucket. */
export const REVOKING = numberedId(9);
const REVOKED_KEY = numberedIdSql('n + 2000000');
/** The number of accounts that share the remaining jobs. */
const BUSY_ACCOUNTS = 1_000;
/** Accounts whose keys have spent something on each of ninety days. */
const SPENDING_ACCOUNTS = 2_000;
/** Accounts with auto-recharge. */
const RECHARGED = 1_000;

const ID = numberedIdSql('n');
const ACCOUNT_OF_JOB = `CASE WHEN n % 10 > 0 THEN '${MANY}' ELSE ${numberedIdSql(`2 + n / 10 % ${BUSY_ACCOUNTS}`)} END`;
const TIME_OF_JOB = `now() - (${JOBS} - n) * interval '${SECONDS_PER_JOB} seconds'`;
const numbers = (count: number): string => `generate_series(1, ${count}) AS n`;
/** One row per account, with a key of the same id. */
const EACH_ACCOUNT = numbers(ACCOUNTS);

const CONTENT: [table: string, insert: string][] = [
  [
    'account',
    `SELECT ${ID}, 'name', CASE WHEN n = ${SUSPENDED} THEN 'suspended' ELSE 'active' END, NULL, 1000000, 7, now() FROM ${EACH_ACCOUNT}`,
  ],
  ['wallet', `SELECT ${ID}, 1000000000, 1000000000, 0, 500000, 1000000 FROM ${EACH_ACCOUNT}`],
  [
    'api_key',
    `SELECT ${ID}, ${ID}, 'key', 'knr_live_', sha256(n::text::bytea), now(), NULL, NULL, NULL, NULL FROM ${EACH_ACCOUNT}`,
  ],
  [
    'portal_link',
    `SELECT sha256(n::text::bytea), ${ID}, 'read', NULL, now(), now() + (n - ${ACCOUNTS / 2}) * interval '1 second' FROM ${EACH_ACCOUNT}`,
  ],
  ['key_budget', `SELECT ${ID}, 1000000000, 'day', now()::date, 0 FROM ${EACH_ACCOUNT}`],
  [
    'api_key',
    `(id, account_id, name, prefix, hash, revoked_at)
     SELECT ${REVOKED_KEY}, '${REVOKING}', 'old', 'knr_live_', sha256(('revoked ' || n)::bytea), now() FROM ${EACH_ACCOUNT}`,
  ],
  [
    'rate_bucket',
    `SELECT ${ID}, now(), 1 FROM ${EACH_ACCOUNT} UNION ALL SELECT ${REVOKED_KEY}, now(), 1 FROM ${EACH_ACCOUNT}`,
  ],
  ['webhook_secret', `(account_id, secret) SELECT ${ID}, 'secret' FROM ${EACH_ACCOUNT}`],
  ['operator_action', `(account_id, action, details) SELECT ${ID}, 'top_up', '{}' FROM ${EACH_ACCOUNT}`],
  ['strike_standing', `SELECT ${ID}, 1, n FROM ${EACH_ACCOUNT}`],
  ['inbox', `SELECT 'heed_strikes', n::text, now() FROM ${EACH_ACCOUNT}`],
  [
    'auto_recharge',
    `SELECT ${ID}, n <= ${RECHARGED}, CASE WHEN n = 2 THEN 2000000000 ELSE 1 END, 10, NULL, 'card', NULL, 0, now(), NULL
       FROM ${EACH_ACCOUNT}`,
  ],
  [
    'payment',
    `SELECT ${ID}, ${numberedIdSql('2 + n % 1000')}, 'sandbox', 10, 'card', NULL, CASE WHEN n > 20 THEN 'succeeded' ELSE 'begun' END,
            'reference', NULL, 0, now(), now(), CASE WHEN n > 20 THEN now() END
       FROM generate_series(3, ${ACCOUNTS}) AS n`,
  ],
  ['sandbox_payment', `SELECT 'sandbox_' || ${ID}, ${ID}, 'card', 10, 'paid', 1 FROM ${EACH_ACCOUNT}`],
  [
    'hold',
    `SELECT ${ID}, ${ACCOUNT_OF_JOB}, 20, state, ${TIME_OF_JOB}, CASE WHEN state <> 'held' THEN ${TIME_OF_JOB} + interval '1 minute' END, NULL, NULL, ${ACCOUNT_OF_JOB}
       FROM ${numbers(JOBS)},
            LATERAL (SELECT CASE WHEN n >= ${FIRST_OPEN} THEN 'held' WHEN n % 4 = 0 THEN 'refunded' ELSE 'captured' END
                       AS state) AS job`,
  ],
  [
    'key_spend_day',
    `SELECT ${ID}, (now() - day * interval '1 day')::date, ${ID}, 10, 200 FROM generate_series(1, 90) AS day, ${numbers(SPENDING_ACCOUNTS)}`,
  ],
  [
    'ledger_entry',
    `(id, account_id, kind, debit, credit, amount_micros, job_id, created_at) OVERRIDING SYSTEM VALUE
     SELECT n * ${IDS_PER_JOB}, ${ACCOUNT_OF_JOB}, 'reserve', 'available', 'held', 20, ${ID}, ${TIME_OF_JOB} FROM ${numbers(JOBS)}`,
  ],
  ['ledger_reference', `SELECT ${ID}, 'reference', n * ${IDS_PER_JOB} FROM ${EACH_ACCOUNT}`],
  [
    'ledger_month',
    `SELECT to_char(ended - interval '1 day', 'YYYY-MM'), greatest(0, ${JOBS} - extract(epoch FROM now() - ended) / ${SECONDS_PER_JOB}) * ${IDS_PER_JOB},
            '${numberedId(0)}', now()
       FROM ${numbers(12)}, LATERAL (SELECT date_trunc('month', now(), 'UTC') - (n - 1) * interval '1 month' AS ended) AS month`,
  ],
  // The statement of a month reads what follows the last closing.
  [
    'ledger_closing',
    `SELECT ${ID}, month, CASE ${ID} WHEN '${MANY}' THEN (SELECT max(id) FROM ledger_entry WHERE account_id = '${MANY}') ELSE 1 END,
            CASE ${ID} WHEN '${MANY}' THEN 10000 ELSE 1 END, '{"available": {"closing_micros": 7}}', '{}', ''
       FROM ${EACH_ACCOUNT}, ledger_month`,
  ],
];

/** What customers have paid in, and what has become of it. The first checkouts are open, and the first accounts have no customer. */
const PAYMENTS: typeof CONTENT = [
  [
    'checkout',
    `(id, account_id, provider, amount_micros, saves_card, address, state, reference, charge, next_check_at, created_at, ended_at)
     SELECT ${ID}, ${ID}, 'sandbox', 10000000, false, '198.51.100.' || n, CASE WHEN n > 20 THEN 'paid' ELSE 'open' END, 'cs_' || n,
            CASE WHEN n > 20 THEN 'pi_' || n END, now(), now() - n * interval '1 minute', CASE WHEN n > 20 THEN now() END
       FROM ${EACH_ACCOUNT}`,
  ],
  ['payment_customer', `SELECT ${ID}, 'sandbox', 'cus_' || n FROM generate_series(50, ${ACCOUNTS}) AS n`],
  ['balance_alert', `SELECT ${ID}, 1, NULL FROM ${numbers(RECHARGED)}`],
  [
    'payment_refund',
    `(id, account_id, payment_id, provider, charge, amount_micros, state, reference, ended_at)
     SELECT ${ID}, ${ID}, ${ID}, 'sandbox', 'pi_' || n, 10000, 'succeeded', 're_' || n, now() FROM ${EACH_ACCOUNT}`,
  ],
  [
    'dispute',
    `(id, account_id, payment_id, provider, reference, amount_micros, state, ended_at)
     SELECT ${ID}, ${ID}, ${numberedIdSql('n + 3000000')}, 'sandbox', 'dp_' || n, 10000, CASE WHEN n > 20 THEN 'lost' ELSE 'open' END,
            CASE WHEN n > 20 THEN now() END
       FROM ${EACH_ACCOUNT}`,
  ],
  [
    'sandbox_checkout',
    `SELECT 'sandbox_cs_' || n, ${ID}, ${ID}, 'cus_' || n, 10000000, false, 'https://console.test', now(), 'disputed',
            now() - n * interval '1 minute'
       FROM ${EACH_ACCOUNT}`,
  ],
  ['sandbox_card', `SELECT 'card_' || n, 'cus_' || n, 'succeeds' FROM ${EACH_ACCOUNT}`],
];

/** A person for each account, with a link that has expired and an e-mail that was sent; the first e-mails wait. */
const PEOPLE: typeof CONTENT = [
  ['customer_user', `(id, email, subject) SELECT ${ID}, n || '@people.test', 'subject ' || n FROM ${EACH_ACCOUNT}`],
  ['account_member', `(account_id, user_id, role) SELECT ${ID}, ${ID}, 'owner' FROM ${EACH_ACCOUNT}`],
  [
    'user_link',
    `(token_hash, purpose, email, domain, created_at, expires_at)
     SELECT sha256(('link ' || n)::bytea), 'reset', n || '@people.test', n || '.test', now() - interval '3 days', now() - interval '2 days'
       FROM ${EACH_ACCOUNT}`,
  ],
  ['sign_up_credit', `SELECT sha256(n::text::bytea), ${ID} FROM ${EACH_ACCOUNT}`],
  [
    'email',
    `(id, kind, recipient, subject, sealed, ended_at)
     SELECT ${ID}, 'reset', n || '@people.test', 'subject', CASE WHEN n > 20 THEN NULL ELSE ''::bytea END,
            CASE WHEN n > 20 THEN now() - n * interval '1 hour' END
       FROM ${EACH_ACCOUNT}`,
  ],
];

/** Inserts the accounts of a large installation, and the holds and entries of a million jobs. */
export async function fillBilling({ adminUrl, database }: TestDatabase): Promise<void> {
  await database.execute(statement('', `SELECT setval('ledger_entry_id_seq', ${JOBS * IDS_PER_JOB})`));
  await rangesOf(database).maintain(new Date());
  for (const [table, rows] of [...CONTENT, ...PAYMENTS, ...PEOPLE])
    await fillTable(adminUrl, `billing.${table}`, [`INSERT INTO ${table} ${rows}`]);
}

/** The partitions of the ledger, and what its gauge reads. */
export function rangesOf(database: Database): LedgerRanges & { readGauge: () => Promise<Reading[]> } {
  let readGauge = (): Promise<Reading[]> => Promise.resolve([]);
  const sampler = { add: (sample: { read: typeof readGauge }) => (readGauge = sample.read) } as unknown as GaugeSampler;
  const { logger } = createTestLog();
  const archive = new LedgerArchive(new BillingConfig(), database, new LedgerHourRepository(database), logger);
  return Object.assign(new LedgerRanges(archive, database, sampler, logger), { readGauge });
}
