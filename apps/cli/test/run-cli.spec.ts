import { execFileSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { useCli } from './cli.fixtures';
import { FakeBilling, FakeModeration, FakeJobs, FakeWebhooks, ledger, received, usage } from './fakes.fixtures';

describe('kinora', () => {
  const testBed = useCli(FakeBilling, FakeModeration, FakeJobs, FakeWebhooks);
  beforeEach(() => {
    Object.assign(received, { requests: [], requestIds: [] });
    Object.assign(ledger, { ok: true, violations: [], next_account_id: null });
    usage.violations = [];
  });

  const run = (line: string, env?: NodeJS.ProcessEnv) => testBed.run(line, env);

  it('prints exactly one JSON value, wherever the flags are', async () => {
    const { exitCode, out, err } = await run('--json --name Ada account create --balance-usd 0.000001 --rpm 90000000');
    expect(received.requests).toEqual([{ name: 'Ada', balance_micros: 1, rate_limit_rpm: 90_000_000, actor: 'ada' }]);
    expect(JSON.parse(out)).toMatchObject({ account_id: 'acc-1', api_key: 'knr_live_x', webhook_secret: 'whsec_x' });
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  });

  it('sends zero as zero and omits what was not given', async () => {
    await run('account create --name Ada --balance-usd 0');
    expect(received.requests).toEqual([{ name: 'Ada', balance_micros: 0, actor: 'ada' }]);
  });

  it('limits a key as the flags say', async () => {
    await run(
      'key create acc-1 --name x --scope account --models fast-image,image-edit --cap-usd 2.5 --cap-period month',
    );
    const limits = {
      scope: 'account',
      allowed_models: ['fast-image', 'image-edit'],
      cap_micros: 2_500_000,
      cap_period: 'month',
    };
    expect(received.requests).toEqual([{ account_id: 'acc-1', name: 'x', ...limits, actor: 'ada' }]);
  });

  it('turns automatic recharges of an account on and off', async () => {
    await run('account set-auto-recharge acc-1 --enabled --threshold-usd 5 --amount-usd 20 --monthly-cap-usd none');
    await run('account set-auto-recharge --disabled acc-1');
    const amounts = { threshold_micros: 5_000_000, amount_micros: 20_000_000, monthly_cap_micros: null };
    expect(received.requests).toEqual([
      { account_id: 'acc-1', enabled: true, ...amounts, actor: 'ada' },
      { account_id: 'acc-1', enabled: false, actor: 'ada' },
    ]);
  });

  it('subtracts money with a minus, in the name of the operator', async () => {
    await run('account adjust acc-1 --usd -2.5 --reason mistake --reference case-7');
    expect(received.requests).toEqual([
      { account_id: 'acc-1', amount_micros: -2_500_000, reason: 'mistake', reference: 'case-7', actor: 'ada' },
    ]);
  });

  it('ends a payment with a reason, in the name of the operator', async () => {
    const { out } = await run('account end-payment acc-1 pay-1 --reason gone');
    expect(received.requests).toEqual([{ account_id: 'acc-1', payment_id: 'pay-1', reason: 'gone', actor: 'ada' }]);
    expect(out).toContain('ended_by_operator');
    expect((await run('account end-payment acc-1 pay-1')).exitCode).toBe(1);
  });

  it('creates an account with 10 USD if no amount is given, and reports it', async () => {
    await run('account create --name Eve');
    expect(received.requests).toEqual([{ name: 'Eve', balance_micros: 10_000_000, actor: 'ada' }]);
    expect((await run('account create --help')).out).toMatch(/--balance-usd <usd> .*\(default: 10\)/);
  });

  it.each([
    ['account create', ['60', '5', '7', '10']],
    ['account rotate-webhook-secret', ['24']],
    ['account set-limits', []],
  ])('shows the defaults of %s', async (command, defaults) => {
    const { out } = await run(`${command} --help`);
    expect([...out.replace(/\s+/g, ' ').matchAll(/\(default: (\d+)\)/g)].map(([, value]) => value)).toEqual(defaults);
  });

  it('prints a table with money in USD for people', async () => {
    const { out } = await run('account statement acc-1');
    const [head, line, next] = out.split('\n').map((text) => text.split(/\s{2,}/));
    expect(head).toEqual(['date', 'what', 'amount', 'change', 'balance', 'job id', 'reason', 'reference']);
    expect(line).toEqual([
      '2026-11-20T09:00:00Z',
      'held for a job',
      '0.02 USD',
      '-0.02 USD',
      '9.98 USD',
      'job-1',
      '-',
      '-',
    ]);
    expect(next).toEqual(['Older lines: --before e1']);
  });

  it('lists accounts and jobs a page at a time, and sends only the stored prefix of a key', async () => {
    const { out } = await run('account list --search knr_live_abcdefghijklmnop --status active --limit 1');
    expect(out.split('\n').at(1)).toMatch(/^acc-1 +Ada +active +1\.50 USD +2 +2026-11-20T09:00:00Z$/);
    expect(out.split('\n').at(2)).toBe('More: --cursor acc-1');
    await run('job list --account acc-1 --status failed --model m --cursor c');
    expect(received.requests).toEqual([
      { search: 'knr_live_abc', status: 'active', limit: 1 },
      { account_id: 'acc-1', status: 'failed', model: 'm', cursor: 'c' },
    ]);
  });

  it('shows what was sold under quotes, and lists and withdraws the keys of receipts', async () => {
    const { out } = await run('quote sales --since 2026-11-01T00:00:00Z --account acc-1');
    expect(out.split('\n').at(1)).toMatch(/^2026-11-22 +m +1 +0\.04 USD +0\.10 USD +0\.06 USD$/);
    expect((await run('receipt keys')).out).toMatch(/kid-1 +2026-11-22T09:00:00Z +-$/);
    expect(JSON.parse((await run('receipt withdraw-key kid-1 --json')).out)).toMatchObject({ kid: 'kid-1' });
    expect(received.requests).toEqual([
      { since: '2026-11-01T00:00:00Z', account_id: 'acc-1' },
      { with_withdrawn: true },
      { kid: 'kid-1' },
    ]);
  });

  it('shows how many strikes of an activated account still stand', async () => {
    const { out } = await run('account set-status acc-1 active');
    expect(out).toContain('2 strikes still stand: the next one may suspend the account again.');
    expect(out).toContain('strike list --account acc-1');
    expect(JSON.parse((await run('account set-status acc-1 active --json')).out)).toMatchObject({
      standing_strikes: 2,
    });
    expect((await run('account set-status acc-1 paused')).out).not.toContain('strike');
  });

  it.each([
    [{ KINORA_OPERATOR: 'ada', USER: 'root' }, 'ada'],
    [{ USER: 'eve' }, 'eve'],
    [{}, os.userInfo().username],
  ])('records the operator: %j is %s', async (env, actor) => {
    await run('account create --name Ada --balance-usd 0', { NATS_URL: testBed.natsUrl, ...env });
    expect(received.requests).toEqual([{ name: 'Ada', balance_micros: 0, actor }]);
  });

  it('recovers webhooks, and lists failing endpoints', async () => {
    expect(await run('webhook recover acc-1 --since 2026-11-20 --json')).toMatchObject({ out: '{"recovered":2}' });
    const { out } = await run('webhook endpoints --account acc-1');
    expect(out.split('\n')[1]).toMatch(/^acc-1 +hook\.example\.com:443 +3 +1 +- +timeout +2026-11-20T09:00:00Z$/);
    expect(out.split('\n')[2]).toBe('More: --cursor 1');
    expect((await run('webhook endpoints --account acc-1 --cursor 1')).out).not.toContain('--cursor');
    expect(received.requests).toEqual([
      { account_id: 'acc-1', since: '2026-11-20' },
      { account_id: 'acc-1' },
      { account_id: 'acc-1', cursor: '1' },
    ]);
  });

  it("passes a service's error on in the envelope, with the request id of the service", async () => {
    const { exitCode, out, err } = await run('account show acc-2 --json');
    const [requestId] = received.requestIds;
    expect(requestId).toMatch(/^req_[0-9a-f]{24}$/);
    const error = { type: 'not_found', code: 'not_found', message: 'There is no such account.', request_id: requestId };
    expect({ exitCode, envelope: JSON.parse(out) as unknown, err }).toEqual({
      exitCode: 1,
      envelope: { error },
      err: '',
    });
  });

  it.each([
    ['acount show x', "unknown command 'acount'", undefined],
    ['account', 'A command is missing', undefined],
    ['account show', "missing required argument 'account-id'", 'account-id'],
    ['account create', "required option '--name <name>' not specified", '--name'],
    ['account create --name', "option '--name <name>' argument missing", '--name'],
    ['account show x --why', "unknown option '--why'", '--why'],
    ['account set-auto-recharge x', 'one of --enabled and --disabled must be given', undefined],
    ['account top-up x --usd 0', '--usd must be more than 0 USD', '--usd'],
    ['account adjust x --usd 1', "required option '--reason <reason>' not specified", '--reason'],
    ['account set-limits x', '--rpm, --max-concurrent-jobs or --retention-days must be given', undefined],
    ['account set-status x happy', 'Allowed choices are active, paused, suspended, closed', 'status'],
    ['webhook list --status happy', 'Allowed choices are', '--status'],
    ['webhook recover acc-1', "required option '--since <time>' not specified", '--since'],
  ])('answers %j with a usage error that names what is wrong', async (line, message, param) => {
    const { exitCode, out } = await run(`${line} --json`);
    const { error } = JSON.parse(out) as { error: { code: string; message: string; param?: string } };
    expect({ exitCode, code: error.code, param: error.param }).toEqual({ exitCode: 1, code: 'invalid_body', param });
    expect(error.message).toContain(message);
    expect(received.requests).toEqual([]);
  });

  it.each([
    ['account top-up acc-1 --usd 99', '--usd'],
    ['account set-limits acc-1 --retention-days 999', '--retention-days'],
    ['key create acc-1 --name x --expires-at 2020-01-01T00:00:00Z', '--expires-at'],
  ])('names the flag whose field a service refuses: %s', async (line, param) => {
    const { exitCode, out } = await run(`${line} --json`);
    expect({ exitCode, envelope: JSON.parse(out) as unknown }).toMatchObject({
      exitCode: 1,
      envelope: {
        error: { code: 'invalid_body', param, message: expect.stringContaining(`${param} must be`) as string },
      },
    });
  });

  it.each([
    ['--balance-usd', 'ten'],
    ['--balance-usd', '0.0000001'],
    ['--rpm', '0'],
    ['--max-concurrent-jobs', '1.5'],
  ])('names %s when it is %j, and sends no request', async (flag, value) => {
    const { exitCode, out } = await run(`account create --name Ada ${flag} ${value} --json`);
    expect({ exitCode, envelope: JSON.parse(out) as unknown }).toMatchObject({
      exitCode: 1,
      envelope: { error: { code: 'invalid_body', param: flag } },
    });
    expect(received.requests).toEqual([]);
  });

  it('exits 1 with the report when the ledger breaks a rule, or usage is not what the jobs say', async () => {
    expect(await run('ledger verify')).toMatchObject({
      exitCode: 0,
      out: 'ok: 2 accounts, 9 entries, 4 jobs, 0 violations',
    });
    for (const all of ['--all', '--full'])
      expect((await run(`ledger verify ${all}`)).out).toBe('ok: 4 accounts, 18 entries, 4 jobs, 0 violations');
    const violations = [{ rule: 'sums_to_zero', account_id: 'acc-1', detail: 'off by 1' }];
    usage.violations = [{ rule: 'usage_day_equals_jobs', account_id: 'acc-2', detail: 'one too many' }];
    Object.assign(ledger, { ok: false, violations });
    const { exitCode, out } = await run('ledger verify --json');
    const { next_account_id: _next, ...books } = ledger;
    const report = { ...books, jobs: 4, violations: [...violations, ...usage.violations] };
    expect({ exitCode, report: JSON.parse(out) as unknown }).toEqual({ exitCode: 1, report });
  });

  it('adds up all pages of the ledger, with the violations in each', async () => {
    const violations = [{ rule: 'sums_to_zero', account_id: 'acc-1', detail: 'off by 1' }];
    Object.assign(ledger, { ok: false, violations: [...violations], next_account_id: 'acc-1' });
    const { exitCode, out } = await run('ledger verify --json');
    expect({ exitCode, report: JSON.parse(out) as unknown }).toMatchObject({
      exitCode: 1,
      report: {
        accounts: 4,
        entries: 18,
        books: { available_micros: 16, top_ups_micros: -20 },
        violations: [...violations, ...violations],
      },
    });
  });

  it('reports in one line that no stack runs, or that it does not answer', async () => {
    const none = await run('model list', { KINORA_DATA_DIR: testBed.folder });
    expect(none).toMatchObject({ exitCode: 1, out: '' });
    expect(none.err).toMatch(/^error: No stack is running: there is no .*stack\.json\. Start one with npm start.*$/);
    const deaf = await run('model list', { NATS_URL: 'nats://user:secret@127.0.0.1:9,127.0.0.1:8' });
    expect(deaf.err).toMatch(/^error: The stack's broker does not answer at 127\.0\.0\.1:9, 127\.0\.0\.1:8\..*$/);
  });

  it('answers capacity for a context that does not run', async () => {
    const { exitCode, out } = await run('model list --json');
    expect({ exitCode, envelope: JSON.parse(out) as unknown }).toMatchObject({
      exitCode: 1,
      envelope: { error: { type: 'capacity_error', code: 'capacity' } },
    });
  });

  it('starts without loading Nest', () => {
    const script = `require('./test/typescript.cjs'); require('./apps/cli/src/run-cli.ts');
      console.log(Object.keys(require.cache).filter((file) => file.includes('@nestjs')).length)`;
    const root = path.resolve(__dirname, '../../..');
    expect(execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' }).trim()).toBe('0');
  });
});
