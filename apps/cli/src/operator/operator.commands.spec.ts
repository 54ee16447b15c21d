import { checksRpc } from '@kinora/contracts/console/checks.rpc';
import { type OperatorDetails, operatorsRpc } from '@kinora/contracts/console/operators.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { answering, on } from '@kinora/testing';
import { useCli } from '../../test/cli.fixtures';
import { FakeBilling, FakeJobs, ledger } from '../../test/fakes.fixtures';

const received: unknown[] = [];
const ADA: OperatorDetails = {
  ...({ user_id: 'user-1', email: 'ada@example.com', role: 'finance', sign_in: 'invited' } as const),
  ...{ created_by: 'root', created_at: '2026-11-23T00:00:00Z', disabled_at: null },
};

/** Stands in for the console. */
const FakeConsole = answering(
  on(operatorsRpc.add, (request) => {
    received.push(request);
    return { operator: { ...ADA, ...request }, setup_url: 'http://console.test/operator/setup#token=once' };
  }),
  on(operatorsRpc.list, () => ({ data: [ADA] })),
  on(operatorsRpc.setDisabled, (request) => {
    received.push(request);
    if (request.email !== ADA.email) throw new ApiError('not_found', 'There is no such operator.');
    return { ...ADA, disabled_at: request.disabled ? '2026-11-23T01:00:00Z' : null };
  }),
  on(checksRpc.record, (request) => {
    received.push(request);
    return { ...request, actor: 'ada', ran_at: '2026-11-23T00:00:00Z' };
  }),
);

describe('the commands of the console', () => {
  const testBed = useCli(FakeConsole, FakeBilling, FakeJobs);
  beforeEach(() => {
    received.splice(0);
    Object.assign(ledger, { ok: true, violations: [], next_account_id: null });
  });

  const run = (line: string) => testBed.run(line);
  const runJson = (line: string) => testBed.runJson(line);

  it('add an operator in the name of the one who does, and print the link', async () => {
    expect(await runJson('operator add ada@example.com --role finance')).toMatchObject({
      ...{ email: 'ada@example.com', role: 'finance', sign_in: 'invited' },
      setup_url: 'http://console.test/operator/setup#token=once',
    });
    expect(received).toEqual([{ email: 'ada@example.com', role: 'finance', actor: 'ada' }]);
  });

  it.each(['operator add ada@example.com', 'operator add ada@example.com --role boss', 'operator add --role owner'])(
    'refuse %s before anything is sent',
    async (line) => {
      expect((await run(line)).exitCode).toBe(1);
      expect(received).toEqual([]);
    },
  );

  it('list operators as a table', async () => {
    expect(await runJson('operator list')).toEqual({ data: [ADA] });
    expect((await run('operator list')).out.split('\n')[1]).toMatch(/^ada@example\.com +finance +invited +root /);
  });

  it('disable and enable an operator', async () => {
    expect(await runJson('operator disable ada@example.com')).toMatchObject({ disabled_at: '2026-11-23T01:00:00Z' });
    expect(await runJson('operator enable ada@example.com')).toMatchObject({ disabled_at: null });
    expect(received).toEqual([
      { email: 'ada@example.com', disabled: true, actor: 'ada' },
      { email: 'ada@example.com', disabled: false, actor: 'ada' },
    ]);
    expect(await run('operator disable eve@example.com --json')).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining('"not_found"') as string,
    });
  });

  it('report what the ledger verification has found to the overview', async () => {
    await run('ledger verify');
    const violation = { rule: 'wallet_is_sum_of_entries', account_id: 'acc-1', detail: 'off by 1' };
    Object.assign(ledger, { ok: false, violations: [violation] });
    expect((await run('ledger verify')).exitCode).toBe(1);
    expect(received).toMatchObject([
      { check: 'ledger_verify', ok: true, problems: [], actor: 'ada' },
      { check: 'ledger_verify', ok: false, problems: ['wallet_is_sum_of_entries: acc-1, off by 1'], actor: 'ada' },
    ]);
  });

  it('report as many violations as one message can hold, however many there are', async () => {
    const violation = { rule: 'wallet_is_sum_of_entries', account_id: 'acc-1', detail: 'off by 1' };
    Object.assign(ledger, { ok: false, violations: Array(30_000).fill(violation) });
    await run('ledger verify');
    expect(received).toMatchObject([{ ok: false, problems: Array(20).fill(expect.stringContaining('acc-1')) }]);
  });
});
