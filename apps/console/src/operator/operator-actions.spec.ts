import {
  type AccountDetails,
  type ToppedUpAccount,
  billingAdminRpc,
} from '@kinora/contracts/billing/billing-admin.rpc';
import type { TopUpRequest, LedgerReport } from '@kinora/contracts/billing/ledger.rpc';
import type { JobStatus } from '@kinora/contracts/jobs/job';
import { jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { statement } from '@kinora/database';
import { answering, on } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import type { Browser } from '../../test/browser.fixtures';
import { useConsole } from '../../test/console.fixtures';
import { confirm, operatorBrowser } from '../../test/operator.fixtures';

const CHANGE_ENTRY = statement('spec_change_entry', `UPDATE audit_entry SET actor = 'eve'`);
const HIDE_CHECKS = statement('spec_hide_checks', 'ALTER TABLE check_result RENAME TO hidden_check_result');
const SHOW_CHECKS = statement('spec_show_checks', 'ALTER TABLE hidden_check_result RENAME TO check_result');
const HIDE_ENTRIES = statement('spec_hide_entries', 'ALTER TABLE audit_entry RENAME TO hidden_audit_entry');
const SHOW_ENTRIES = statement('spec_show_entries', 'ALTER TABLE hidden_audit_entry RENAME TO audit_entry');
const DELETE_ENTRY = statement('spec_delete_entry', 'DELETE FROM audit_entry');
const PAYING = uuidv7();
const CHARGED = uuidv7();
/** A reference that the fake of billing refuses. */
const REFUSED = 'refused';

const ACCOUNT = {
  ...{ account_id: PAYING, name: 'Ada', status: 'active', status_reason: null, balance_micros: 0, held_micros: 0 },
  ...{ spent_micros: 0, in_flight_jobs: 0, rate_limit_rpm: 60, max_concurrent_jobs: 5, retention_days: 7 },
  ...{ auto_recharge: null, created_at: '2026-11-23T00:00:00Z' },
} as AccountDetails;

const REPORT: LedgerReport = {
  ...{ ok: false, accounts: 1, entries: 2, next_account_id: null },
  books: { available_micros: 0, held_micros: 0, revenue_micros: 0, top_ups_micros: 0, credits_micros: 0 },
  violations: [{ rule: 'wallet_differs', account_id: PAYING, detail: 'one micro is missing' }],
};

/** What billing has entered, by its reference. */
const books = new Map<string, TopUpRequest>();
/** Runs while an action of the console is under way. */
let meanwhile: () => Promise<void> = async () => {};
let jobStatus: JobStatus = 'succeeded';

function enter(request: TopUpRequest): ToppedUpAccount {
  const reference = request.reference ?? '';
  if (reference === REFUSED) throw new ApiError('invalid_body', 'reference is taken.', { param: 'reference' });
  const entry_repeated = books.has(reference);
  if (!entry_repeated) books.set(reference, request);
  const balance_micros = [...books.values()].reduce((sum, { amount_micros }) => sum + amount_micros, 0);
  return { ...ACCOUNT, balance_micros, entry_id: '1', entry_repeated };
}

/** Stands in for jobs, and for the part of billing that the console's own fixture lacks. */
const fakeContexts = answering(
  on(billingAdminRpc.adjustBalance, async (request) => {
    await meanwhile();
    return enter(request);
  }),
  on(billingAdminRpc.grantCredit, enter),
  on(billingAdminRpc.createAccount, ({ account_id = '' }) => ({
    ...{ account_id, api_key: 'knr_live_secret', api_key_id: uuidv7(), webhook_secret: 'whsec_1' },
  })),
  on(billingAdminRpc.setStatus, ({ status }) => ({ ...ACCOUNT, status })),
  on(billingAdminRpc.verifyLedger, () => REPORT),
  on(jobsAdminRpc.listAll, ({ search }) => {
    const job = {
      ...({ job_id: CHARGED, account_id: PAYING, status: jobStatus, kind: 'image.generation' } as const),
      ...{ model: 'one', error_code: null, charged_micros: 20_000, created_at: '', completed_at: null },
    };
    return { data: search === CHARGED ? [job] : [], has_more: false, next_cursor: null };
  }),
);

describe('the actions of operators', () => {
  const bed = useConsole({}, fakeContexts);
  let owner: Browser;
  let email: string;

  beforeAll(async () => {
    ({ browser: owner, email } = await operatorBrowser(bed, 'owner'));
    await confirm(owner);
  });
  afterEach(() => books.clear());

  const account = `/admin/v1/operator/accounts/${PAYING}`;
  const entries = async (query = '') => {
    const answer = await owner.get(`/admin/v1/operator/audit${query}`);
    return answer.json<{ data: Record<string, unknown>[]; next_cursor: string | null }>();
  };

  it('change money once, however often a form is sent, in the name of the operator', async () => {
    const form = { amount_micros: 500_000, reason: 'goodwill', reference: 'form-1' };
    const send = () => owner.post(`${account}/adjustments`, form);
    const answers = [...(await Promise.all([send(), send()])), await send()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.at(-1)?.json()).toMatchObject({ balance_micros: 500_000, entry_repeated: true });
    expect([...books.values()]).toEqual([{ account_id: PAYING, ...form, actor: email }]);
    const { data } = await entries(`?account_id=${PAYING}&limit=3`);
    const entry = { actor: email, action: 'adjust_balance', target: PAYING, reason: 'goodwill', outcome: 'done' };
    expect(data).toMatchObject([entry, entry, entry]);
  });

  it.each([
    ['reason', { amount_micros: 5, reference: 'form-2' }],
    ['reference', { amount_micros: 5, reason: 'goodwill' }],
    ['amount_micros', { amount_micros: 0.5, reason: 'goodwill', reference: 'form-2' }],
  ])('need %s', async (param, form) => {
    expect((await owner.post(`${account}/credits`, form)).json()).toMatchObject({ error: { param } });
    expect(books.size).toBe(0);
  });

  it('move a large amount when it is written twice', async () => {
    const form = { amount_micros: -1_000_000_001, reason: 'a bonus', reference: 'form-9' };
    const send = (parts: object) => owner.post(`${account}/adjustments`, { ...form, ...parts });
    const refused = { error: { code: 'invalid_body', param: 'repeated_amount_micros' } };
    expect((await send({})).json()).toMatchObject(refused);
    expect((await send({ repeated_amount_micros: 1_000_000_001 })).json()).toMatchObject(refused);
    expect(books.size).toBe(0);
    expect((await send({ repeated_amount_micros: form.amount_micros })).status).toBe(200);
  });

  it('create an account, and leave its key out of the trail', async () => {
    const form = { account_id: uuidv7(), name: 'Ada', key_scope: 'account', credit_micros: 5, reason: 'new' };
    const answer = await owner.post('/admin/v1/operator/accounts', { ...form, retention_days: 3 });
    expect(answer.json()).toEqual({
      ...{ account_id: form.account_id, api_key: 'knr_live_secret', webhook_secret: 'whsec_1' },
    });
    const { data } = await entries(`?account_id=${form.account_id}`);
    const after = { name: 'Ada', credit_micros: 5, retention_days: 3 };
    expect(data).toMatchObject([{ action: 'create_account', reason: 'new', outcome: 'done', after }]);
    expect(JSON.stringify(data)).not.toMatch(/knr_live|whsec/);
  });

  it('refund a job once, by its id', async () => {
    const refund = () => owner.post(`/admin/v1/operator/jobs/${CHARGED}/refund`, { reason: 'broken image' });
    expect([await refund(), await refund()].map(({ status }) => status)).toEqual([200, 200]);
    expect([...books.keys()]).toEqual([`refund of job ${CHARGED}`]);
    expect((await owner.post(`/admin/v1/operator/jobs/${uuidv7()}/refund`, { reason: 'x' })).status).toBe(404);
  });

  it.each(['queued', 'failed'] as const)('refund no %s job', async (status) => {
    jobStatus = status;
    const answer = await owner.post(`/admin/v1/operator/jobs/${CHARGED}/refund`, { reason: 'broken image' });
    expect(answer.json()).toMatchObject({
      error: { param: 'id', message: expect.stringContaining(`is ${status}. Only`) },
    });
    expect(books.size).toBe(0);
  });

  it('leave an entry with the state before and after, and the request', async () => {
    const answer = await owner.send(`${account}/status`, {
      method: 'PATCH',
      body: JSON.stringify({ status: 'paused', reason: 'asked for it' }),
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.json()).toMatchObject({ status: 'paused' });
    const { data } = await entries('?limit=1');
    expect(data).toEqual([
      expect.objectContaining({
        ...{ actor: email, action: 'set_status', account_id: PAYING, reason: 'asked for it', outcome: 'done' },
        ...{ before: { status: 'active' }, after: { status: 'paused' }, request_id: answer.headers['x-request-id'] },
      }),
    ]);
  });

  it('make a link that opens the account once, and leave its token out of the trail', async () => {
    const make = (parts: object) => owner.post(`${account}/portal-links`, { reason: 'asked for help', ...parts });
    expect((await make({})).json()).toMatchObject({ error: { code: 'invalid_body', param: 'scope' } });
    const answer = await make({ scope: 'read', ttl_seconds: 300 });
    const [, token = ''] = /^http:\/\/console\.test\/portal#token=(.+)$/.exec(answer.json<{ url: string }>().url) ?? [];
    const { data } = await entries('?limit=1');
    expect(data).toMatchObject([
      {
        ...{ actor: email, action: 'create_portal_link', account_id: PAYING, outcome: 'done' },
        ...{ reason: 'asked for help', after: { scope: 'read' } },
      },
    ]);
    expect(JSON.stringify(data)).not.toContain(token);
    expect(bed.keys.received.at(-1)?.request).toEqual({
      ...{ account_id: PAYING, capabilities: ['read'], ttl_seconds: 300, reason: 'asked for help', actor: email },
    });
    const [first, second] = [bed.browser(), bed.browser()];
    expect((await first.post('/admin/v1/session/portal', { token })).json()).toMatchObject({
      ...{ kind: 'customer', account_id: PAYING, capabilities: ['read'] },
    });
    expect((await second.post('/admin/v1/session/portal', { token })).status).toBe(401);
  });

  it('leave an entry where they are refused, or nothing answers', async () => {
    const reason = 'asked for it';
    await owner.post(`/admin/v1/operator/webhooks/deliveries/${uuidv7()}/redeliver`, { reason });
    expect((await entries('?limit=1')).data).toMatchObject([{ action: 'redeliver', outcome: 'unknown' }]);
    await owner.post('/admin/v1/operator/users', { email, role: 'viewer', reason });
    expect((await entries('?limit=1')).data).toMatchObject([
      { action: 'add_operator', outcome: 'refused: invalid_body' },
    ]);
  });

  it.each([
    ['form-3', 200, 'done'],
    [REFUSED, 400, 'refused: invalid_body'],
  ])('answer what became of them where the outcome cannot be stored: %s, %i', async (reference, status, outcome) => {
    const { database } = bed.database;
    const logged = bed.log.of('audit_outcome_not_recorded').length;
    meanwhile = () => database.execute(HIDE_ENTRIES).then(() => {});
    try {
      const form = { amount_micros: 5, reason: 'goodwill', reference };
      expect((await owner.post(`${account}/adjustments`, form)).status).toBe(status);
    } finally {
      meanwhile = async () => {};
      await database.execute(SHOW_ENTRIES);
    }
    expect(books.has(reference)).toBe(status === 200);
    const { data } = await entries('?limit=1');
    expect(data).toMatchObject([{ action: 'adjust_balance', outcome: 'unknown' }]);
    const records = bed.log.of('audit_outcome_not_recorded').slice(logged);
    expect(records).toMatchObject([{ audit_entry_id: Number(data[0]?.['id']), outcome }]);
  });

  it('stand in a trail that pages, and that cannot be changed', async () => {
    const first = await entries('?limit=2');
    const second = await entries(`?limit=2&cursor=${first.next_cursor ?? ''}`);
    const ids = [...first.data, ...second.data].map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).toBe(4);
    for (const change of [CHANGE_ENTRY, DELETE_ENTRY])
      await expect(bed.database.database.execute(change)).rejects.toThrow();
  });

  it('answer what a verification of the ledger has found, also where the result cannot be kept', async () => {
    const verify = () => owner.post('/admin/v1/operator/ledger/verifications', { reason: 'after the restore' });
    await bed.database.database.execute(HIDE_CHECKS);
    try {
      const { status, json } = await verify();
      expect([status, json()]).toEqual([200, REPORT]);
      expect(bed.log.of('check_not_recorded')).toHaveLength(1);
    } finally {
      await bed.database.database.execute(SHOW_CHECKS);
    }
    expect((await verify()).status).toBe(200);
  });
});
