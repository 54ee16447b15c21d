import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { type CheckResult, type RecordCheckRequest, checksRpc } from '@kinora/contracts/console/checks.rpc';
import {
  type AddOperatorRequest,
  type AddedOperator,
  type OperatorDetails,
  operatorsRpc,
} from '@kinora/contracts/console/operators.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { TestBroker, type TestService, startTestService } from '@kinora/testing';
import { FakeBilling, FakeJobs, ledger } from '../../test/fakes.fixtures';
import { runCli } from '../run-cli';

const received: unknown[] = [];
const ADA: OperatorDetails = {
  ...({ user_id: 'user-1', email: 'ada@example.com', role: 'finance', sign_in: 'invited' } as const),
  ...{ created_by: 'root', created_at: '2026-11-23T00:00:00Z', disabled_at: null },
};

/** Stands in for the console. */
@Controller()
class FakeConsole {
  @Handles(operatorsRpc.add)
  async add(request: AddOperatorRequest): Promise<AddedOperator> {
    received.push(request);
    return { operator: { ...ADA, ...request }, setup_url: 'http://console.test/operator/setup#token=once' };
  }

  @Handles(operatorsRpc.list)
  async list(_request: Record<string, never>): Promise<{ data: OperatorDetails[] }> {
    return { data: [ADA] };
  }

  @Handles(operatorsRpc.setDisabled)
  async setDisabled(request: { email: string; disabled: boolean; actor?: string }): Promise<OperatorDetails> {
    received.push(request);
    if (request.email !== ADA.email) throw new ApiError('not_found', 'There is no such operator.');
    return { ...ADA, disabled_at: request.disabled ? '2026-11-23T01:00:00Z' : null };
  }

  @Handles(checksRpc.record)
  async record(request: RecordCheckRequest): Promise<CheckResult> {
    received.push(request);
    return { ...request, actor: 'ada', ran_at: '2026-11-23T00:00:00Z' };
  }
}

describe('the commands of the console', () => {
  let broker: TestBroker;
  let service: TestService;

  beforeAll(async () => {
    broker = await TestBroker.start();
    const controllers = [FakeConsole, FakeBilling, FakeJobs];
    service = await startTestService({ name: 'console', natsUrl: broker.url, controllers });
  });
  afterAll(async () => {
    await service.close();
    await broker.close();
  });
  beforeEach(() => {
    received.splice(0);
    Object.assign(ledger, { ok: true, violations: [], next_account_id: null });
  });

  async function run(line: string, env: NodeJS.ProcessEnv = { NATS_URL: broker.url, KINORA_OPERATOR: 'root' }) {
    let printed = '';
    const print = (text: string) => (printed += text);
    const exitCode = await runCli(line.split(' '), { env, out: print, err: print });
    return { exitCode, printed };
  }
  const runJson = async (line: string) => JSON.parse((await run(`${line} --json`)).printed) as unknown;

  it('add an operator in the name of the one who does, and print the link', async () => {
    expect(await runJson('operator add ada@example.com --role finance')).toMatchObject({
      ...{ email: 'ada@example.com', role: 'finance', sign_in: 'invited' },
      setup_url: 'http://console.test/operator/setup#token=once',
    });
    expect(received).toEqual([{ email: 'ada@example.com', role: 'finance', actor: 'root' }]);
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
    expect((await run('operator list')).printed.split('\n')[1]).toMatch(/^ada@example\.com +finance +invited +root /);
  });

  it('disable and enable an operator', async () => {
    expect(await runJson('operator disable ada@example.com')).toMatchObject({ disabled_at: '2026-11-23T01:00:00Z' });
    expect(await runJson('operator enable ada@example.com')).toMatchObject({ disabled_at: null });
    expect(received).toEqual([
      { email: 'ada@example.com', disabled: true, actor: 'root' },
      { email: 'ada@example.com', disabled: false, actor: 'root' },
    ]);
    expect(await run('operator disable eve@example.com --json')).toMatchObject({
      exitCode: 1,
      printed: expect.stringContaining('"not_found"') as string,
    });
  });

  it('report what the ledger verification has found to the overview', async () => {
    await run('ledger verify');
    const violation = { rule: 'wallet_is_sum_of_entries', account_id: 'acc-1', detail: 'off by 1' };
    Object.assign(ledger, { ok: false, violations: [violation] });
    expect((await run('ledger verify')).exitCode).toBe(1);
    expect(received).toMatchObject([
      { check: 'ledger_verify', ok: true, problems: [], actor: 'root' },
      { check: 'ledger_verify', ok: false, problems: ['wallet_is_sum_of_entries: acc-1, off by 1'], actor: 'root' },
    ]);
  });

  it('report as many violations as one message can hold, however many there are', async () => {
    const violation = { rule: 'wallet_is_sum_of_entries', account_id: 'acc-1', detail: 'off by 1' };
    Object.assign(ledger, { ok: false, violations: Array(30_000).fill(violation) });
    await run('ledger verify');
    expect(received).toMatchObject([{ ok: false, problems: Array(20).fill(expect.stringContaining('acc-1')) }]);
  });
});
