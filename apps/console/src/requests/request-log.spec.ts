import { type EndedRequest, requestLogSignals } from '@kinora/contracts/console/request-log.events';
import { statement } from '@kinora/database';
import { type TestBus, connectTestBus, waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import type { Browser } from '../../test/browser.fixtures';
import { useConsole } from '../../test/console.fixtures';
import { operatorBrowser } from '../../test/operator.fixtures';
import type { LoggedRequest, RequestPage } from './list-requests.query';
import { RequestLogRepository } from './request-log.repository';

const LIST_DAYS = statement(
  'spec_list_days',
  `SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'request_log_%' ORDER BY relname`,
);
/** Yesterday to three days from now. The day may end after this statement. */
const NAME_NEXT_DAYS = statement(
  'spec_name_next_days',
  `SELECT 'request_log_' || to_char(now() AT TIME ZONE 'UTC' + days * interval '1 day', 'YYYYMMDD') AS relname
   FROM generate_series(-1, 3) AS days`,
);
const ADD_OLD_DAY = statement(
  'spec_add_old_day',
  `CREATE TABLE request_log_20260101 PARTITION OF request_log FOR VALUES FROM ('2026-01-01 00:00+00') TO ('2026-01-02 00:00+00')`,
);

describe('the request log', () => {
  const bed = useConsole();
  let testBus: TestBus;
  let customer: Browser;
  let other: Browser;
  let operator: Browser;
  const key = { account_id: '', api_key_id: '' };

  beforeAll(async () => {
    testBus = await connectTestBus(bed.natsUrl);
    const made = bed.keys.create();
    Object.assign(key, { account_id: made.account_id, api_key_id: made.api_key_id });
    customer = await bed.signedIn(made);
    other = await bed.signedIn();
    ({ browser: operator } = await operatorBrowser(bed, 'viewer'));
    testBus.bus.signal(requestLogSignals.ended, { requests: REQUESTS.map((parts, index) => request(index, parts)) });
    await waitFor(async () => (await list(customer, '?limit=100')).data.length === REQUESTS.length);
  });
  afterAll(() => testBus.close());

  const ERROR = { message: 'n must be at most 4.', param: 'n', bytes: 27 };
  const REQUESTS: Partial<EndedRequest>[] = [
    {},
    { ...ERROR, status: 400, code: 'invalid_body', route: '/v1/images/generations', method: 'POST' },
    { status: 503, code: 'capacity' },
    { status: null, route: null },
    { api_key_id: uuidv7() },
    { from_console: true },
  ];
  const begun = Date.now() - 60_000;
  const request = (index: number, parts: Partial<EndedRequest>): EndedRequest => ({
    ...{ id: `req_${index}`, ...key, at: new Date(begun + index).toISOString(), method: 'GET', route: '/v1/account' },
    ...{ status: 200, code: null, duration_ms: 1.5, job_id: null },
    ...parts,
  });
  const list = async (browser: Browser, query = '') => {
    const half = browser === operator ? 'operator' : 'customer';
    return (await browser.get(`/admin/v1/${half}/requests${query}`)).json<RequestPage>();
  };
  const idsOf = ({ data }: { data: LoggedRequest[] }) => data.map(({ id }) => id);

  it('shows a customer the requests of the account, newest first, page by page', async () => {
    const first = await list(customer, '?limit=3');
    expect(idsOf(first)).toEqual(['req_5', 'req_4', 'req_3']);
    const second = await list(customer, `?limit=3&cursor=${first.next_cursor ?? ''}`);
    expect([idsOf(second), second.has_more]).toEqual([['req_2', 'req_1', 'req_0'], false]);
    const none = { message: null, param: null, bytes: null, from_console: false };
    expect(second.data[2]).toEqual({ ...request(0, {}), ...none });
    expect(second.data[1]).toMatchObject(ERROR);
  });

  it('shows no request of another account, not even by its id', async () => {
    expect(idsOf(await list(other))).toEqual([]);
    expect(idsOf(await list(other, '?request_id=req_1'))).toEqual([]);
    expect(idsOf(await list(operator, '?request_id=req_1'))).toEqual(['req_1']);
    expect(idsOf(await list(operator))).toEqual(['req_5', 'req_4', 'req_3', 'req_2', 'req_1', 'req_0']);
  });

  it.each([
    ['status=4xx', ['req_1']],
    ['status=5', ['req_2']],
    ['code=capacity', ['req_2']],
    ['route=/v1/images/generations', ['req_1']],
    [`api_key_id=${REQUESTS[4]?.api_key_id ?? ''}`, ['req_4']],
    ['source=console', ['req_5']],
    ['source=programs', ['req_4', 'req_3', 'req_2', 'req_1', 'req_0']],
    ['request_id=req_3', ['req_3']],
    ['request_id=req_none', []],
  ])('finds the requests of %s', async (query, expected) => {
    expect(idsOf(await list(customer, `?${query}`))).toEqual(expected);
  });

  it.each(['limit=0', 'limit=x', 'status=9', 'api_key_id=1', 'request_id=1', 'cursor=x', 'code=a&code=b', 'source=x'])(
    'refuses %s',
    async (query) => {
      expect((await customer.get(`/admin/v1/customer/requests?${query}`)).status).toBe(400);
    },
  );

  it('stores a request once, although every process of the console receives it', async () => {
    const { app } = await bed.startConsole();
    const repository = app.get(RequestLogRepository, { strict: false });
    expect(await repository.insert([request(0, {}), request(1, {})])).toBe(0);
    expect(await repository.insert([request(9, {}), { ...request(8, {}), at: '2020-01-01T00:00:00Z' }])).toBe(1);
  });

  it('makes the partitions of the next days, and drops those that are older than fourteen', async () => {
    const { database } = bed.database;
    const next = await database.query(NAME_NEXT_DAYS);
    await database.execute(ADD_OLD_DAY);
    await bed.app.get(RequestLogRepository, { strict: false }).keepDays();
    const kept = await database.query(LIST_DAYS);
    expect(kept).toEqual(expect.arrayContaining(next));
    expect(kept).not.toContainEqual({ relname: 'request_log_20260101' });
  });
});
