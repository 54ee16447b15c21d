import { join } from 'node:path';
import type { Database } from '@kinora/database';
import {
  type CostLimits,
  MeasuredDatabase,
  type TestDatabase,
  createTestLog,
  fillTable,
  numberedId,
  numberedIdSql,
  statementNames,
} from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { migrations } from '../src/migrations/migrations';
import { AuditTrail } from '../src/operator/audit/audit-trail';
import { CheckResults } from '../src/operator/checks/check-results';
import { OperatorUserRepository } from '../src/operator/users/operator-user.repository';
import { REQUESTS_READ_A_PAGE, type RequestFilter, RequestLogRepository } from '../src/requests/request-log.repository';
import { SessionRepository } from '../src/session/session.repository';

const ROWS = 1_000_000;
const KEPT_DAYS = 14;
const SESSIONS = 10_000;
/** An account and an operator with nearly all rows, and others with one row in a thousand. */
const MANY = numberedId(1);
const FEW = numberedId(2);
const OWNER_OF_N = `CASE WHEN n % 1000 = 0 THEN '${FEW}'::uuid ELSE '${MANY}'::uuid END`;
/** Those of the last rows, so that every partition holds some. */
const AT_OF_N = `now() - (${ROWS} - n) * interval '${KEPT_DAYS * 24 * 3600} seconds' / ${ROWS}`;

const MAKE_DAYS = `
  DO $$ DECLARE day date; BEGIN
    FOR day IN SELECT generate_series(current_date - ${KEPT_DAYS + 1}, current_date + 1, interval '1 day')::date LOOP
      EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF request_log FOR VALUES FROM (%L) TO (%L)',
                     'request_log_' || to_char(day, 'YYYYMMDD'), day::text || ' 00:00+00', (day + 1)::text || ' 00:00+00');
    END LOOP; END $$`;
const WRITE_REQUESTS = `
  INSERT INTO request_log (at, id, account_id, api_key_id, method, route, status, duration_ms)
  SELECT ${AT_OF_N}, 'req_' || lpad(n::text, 10, '0'), ${OWNER_OF_N}, ${OWNER_OF_N}, 'GET', '/v1/account', 200, 1.5
    FROM generate_series(1, ${ROWS}) AS n`;
const WRITE_ENTRIES = `
  INSERT INTO audit_entry (at, user_id, actor, action, target, account_id, outcome, request_id)
  SELECT ${AT_OF_N}, ${OWNER_OF_N}, 'ada', 'view_job', 'job', ${OWNER_OF_N}, 'done', 'req_1' FROM generate_series(1, ${ROWS}) AS n`;
const WRITE_SESSIONS = `
  INSERT INTO session (id, kind, user_id, address, user_agent, expires_at)
  SELECT sha256(n::text::bytea), 'operator', ${numberedIdSql('n')}, '', '',
         now() + CASE WHEN n % 2 = 0 THEN interval '1 hour' ELSE -interval '1 hour' END
    FROM generate_series(1, ${SESSIONS}) AS n`;
const WRITE_USERS = `
  INSERT INTO operator_user (id, email, role) SELECT ${numberedIdSql('n')}, n || '@kinora.test', 'viewer'
    FROM generate_series(1, 100) AS n`;

const LIMITS: CostLimits = {
  most: 300,
  mostOf: {
    // With a rare filter a page of the log reads this many rows, which lie in the order of their time.
    request_log_list: REQUESTS_READ_A_PAGE / 4,
    request_log_list_of_account: REQUESTS_READ_A_PAGE * 1.5,
    // A page of expired rows, each of which leaves every index.
    session_prune: 100 * 12,
  },
  // The log has a partition a day, of the few days that are kept; its ids say nothing of the time.
  acrossPartitions: ['request_log_find', 'request_log_list', 'request_log_list_of_account'],
};

describe('with a million requests and a million audit entries', () => {
  let database: MeasuredDatabase;

  beforeAll(async () => {
    database = await MeasuredDatabase.create('console', migrations, fillConsole);
  }, 180_000);
  afterAll(() => database.close());

  it('every statement uses an index and reads few pages', async () => {
    for (const work of worksOf(database)) await work();
    expect(database.costlierThan(LIMITS)).toEqual([]);
    // DDL that waits for a lock; the spec of the request log runs it.
    expect(database.unmeasured(statementNames(join(__dirname, '../src')))).toEqual(['request_log_keep_days']);
  });

  it.each([
    ['first', null, null],
    ['last', ROWS / 100, { at: new Date(Date.now() - (KEPT_DAYS - 1) * 24 * 3600_000), id: 'req_1' }],
  ])('the %s page reads its own rows only, of an account with many rows and of one with few', async (_, id, before) => {
    const trail = new AuditTrail(database, createTestLog().logger);
    const log = new RequestLogRepository(database);
    for (const account of [MANY, FEW]) {
      const costs = await database.costsOf(async () => {
        await trail.list({ account_id: account }, id, 51);
        await trail.list({ user_id: account }, id, 51);
        await log.list({ ...ANY, accountId: account, before }, 21);
      });
      const [ofAccount, ofUser, requests] = costs.map(({ rows }) => rows);
      expect(ofAccount).toBeLessThanOrEqual(51);
      expect(ofUser).toBeLessThanOrEqual(51);
      // Each partition shows its newest row before the page is merged.
      expect(requests).toBeLessThanOrEqual(REQUESTS_READ_A_PAGE + KEPT_DAYS + 3);
    }
  });
});

const ANY: RequestFilter = {
  accountId: null,
  statusClass: null,
  code: null,
  route: null,
  apiKeyId: null,
  fromConsole: null,
  before: null,
};

async function fillConsole({ adminUrl }: TestDatabase): Promise<void> {
  await fillTable(adminUrl, 'console.request_log', [MAKE_DAYS, WRITE_REQUESTS]);
  await fillTable(adminUrl, 'console.audit_entry', [WRITE_ENTRIES]);
  await fillTable(adminUrl, 'console.operator_user', [WRITE_USERS]);
  await fillTable(adminUrl, 'console.session', [WRITE_SESSIONS]);
}

/** A call for each statement of the console. */
function worksOf(database: Database): (() => Promise<unknown>)[] {
  return [...worksOfLists(database), ...worksOfSessions(database), ...worksOfOperators(database)];
}

function worksOfLists(database: Database): (() => Promise<unknown>)[] {
  const trail = new AuditTrail(database, createTestLog().logger);
  const log = new RequestLogRepository(database);
  const checks = new CheckResults(database);
  const ended = { account_id: MANY, api_key_id: MANY, method: 'GET', route: null, status: 200, code: null };
  const request = { ...ended, id: 'req_new', at: new Date().toISOString(), duration_ms: 1, job_id: null };
  const yesterday = { at: new Date(Date.now() - 24 * 3600_000), id: 'req_1' };
  return [
    () => trail.run({ id: null, email: 'ada', request_id: 'req_1' }, { action: 'view_job' }, () => Promise.resolve()),
    ...[{}, { account_id: MANY }, { user_id: FEW }].map((of) => () => trail.list(of, ROWS / 2, 51)),
    () => log.insert([request]),
    () => log.find('req_0000500000'),
    ...[null, MANY, FEW].flatMap((accountId) => [
      () => log.list({ ...ANY, accountId, before: yesterday }, 21),
      // A code that no request has: the page reads all the rows that it may.
      () => log.list({ ...ANY, accountId, code: 'none' }, 21),
    ]),
    () => checks.record({ check: 'doctor', ok: true, summary: '9 checks', problems: [] }, 'ada'),
    () => checks.confirmBackup('ada'),
    () => checks.list(),
  ];
}

function worksOfSessions(database: Database): (() => Promise<unknown>)[] {
  const sessions = new SessionRepository(database);
  const [id, user] = [Buffer.alloc(32, 7), numberedId(7)];
  const row = { id, kind: 'operator' as const, account_id: null, api_key_id: null, key_prefix: null, scope: null };
  const rest = {
    is_portal: false,
    member_id: null,
    member_role: null,
    member_email: null,
    credential: null,
    user_id: user,
    confirmed_until: null,
    address: '',
    user_agent: '',
  };
  return [
    () => sessions.insert({ ...row, ...rest, expires_at: new Date(Date.now() + 3600_000) }),
    () => sessions.find(id, 'operator'),
    () => sessions.findUnexpired([id]),
    () => sessions.listOfAccount(MANY, null, 100),
    () => sessions.confirm(id, new Date()),
    () => sessions.delete(id),
    () => sessions.deleteOfUser(user),
    () => sessions.prune(100),
  ];
}

function worksOfOperators(database: Database): (() => Promise<unknown>)[] {
  const users = new OperatorUserRepository(database);
  const user = {
    id: uuidv7(),
    email: 'new@kinora.test',
    role: 'viewer',
    password: null,
    subject: null,
    created_by: null,
  } as const;
  const token = Buffer.alloc(32, 9);
  return [
    () => users.insertFirst(user),
    () => users.insert(user),
    () => users.find(user.id),
    () => users.findByEmail(user.email),
    () => users.findBySubject('subject'),
    () => users.list(),
    () => users.countOwners(database),
    () => users.setRole(user.id, 'support', user.email),
    () => users.insertLink(token, user.id, new Date(Date.now() + 3600_000)),
    () => users.setFirstPassword(token, user.id, 'hash'),
    () => users.pruneLinks(100),
    () => users.setDisabled(user.id, true, database),
  ];
}
