import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { useCli } from '../../test/cli.fixtures';
import {
  APPEAL,
  DECISION,
  FakeMonths,
  FakeModeration,
  RETENTION,
  STRIKE,
  received,
} from '../../test/fake-moderation.fixtures';

describe('kinora strike, decision and appeal', () => {
  const testBed = useCli(FakeModeration, FakeMonths);
  const policyFile = path.join(testBed.folder, 'moderation.yaml');
  writeFileSync(policyFile, 'engines: []\n');
  beforeEach(() => received.splice(0));

  const run = (...argv: string[]) => testBed.run(argv);
  const runJson = (...argv: string[]) => testBed.runJson(argv);

  it('lists strikes, of all accounts or of one', async () => {
    expect(await runJson('strike', 'list')).toEqual({ data: [STRIKE] });
    await run('strike', 'list', '--account', 'acc-1', '--limit', '5', '--cursor', 'strike-9');

    expect(received).toEqual([{}, { account_id: 'acc-1', limit: 5, cursor: 'strike-9' }]);
    expect((await run('strike', 'list')).out.split('\n')[1]).toMatch(/^strike-1 +acc-1 +job-1 +dec-1 /);
  });

  it('lifts a strike in the name of the operator, and only with a reason', async () => {
    const without = await run('strike', 'lift', 'strike-1');
    expect(without).toMatchObject({ exitCode: 1, err: expect.stringContaining('--reason') as string });
    expect(received).toEqual([]);

    expect(await runJson('strike', 'lift', 'strike-1', '--reason', 'a false alarm')).toMatchObject({
      strike_id: 'strike-1',
      lifted_by: 'ada',
      lift_reason: 'a false alarm',
    });
    expect(received).toEqual([{ strike_id: 'strike-1', reason: 'a false alarm', actor: 'ada' }]);
    expect(await runJson('strike', 'lift', 'strike-2', '--reason', 'x')).toMatchObject({
      error: { code: 'not_found' },
    });
  });

  it('lists decisions by account, job and verdict, and refuses an unknown verdict', async () => {
    const filter = ['--account', 'acc-1', '--job', 'job-1', '--verdict', 'blocked', '--limit', '9'];
    expect(await runJson('decision', 'list', ...filter)).toEqual({ data: [DECISION] });

    expect(received).toEqual([{ account_id: 'acc-1', job_id: 'job-1', verdict: 'blocked', limit: 9 }]);
    expect(await runJson('decision', 'list', '--verdict', 'maybe')).toMatchObject({
      error: { code: 'invalid_body', param: '--verdict' },
    });
  });

  it('shows a decision', async () => {
    expect(await runJson('decision', 'show', 'dec-7')).toEqual({ ...DECISION, decision_id: 'dec-7' });
    expect((await run('decision', 'show', 'dec-7')).out).toMatch(/^reason +test_picture$/m);
  });

  it('shows which months of jobs, decisions and deliveries are dropped, and what stays', async () => {
    const tables = ['billing.ledger_entry', 'jobs.job', 'moderation.decision', 'webhook_dispatcher.delivery'];
    expect(await runJson('retention', 'plan')).toEqual(tables.map((table) => ({ ...RETENTION, table })));
    const [, , decisions = ''] = (await run('retention', 'plan')).out.split('\n\n');
    const lines = decisions.split('\n');
    expect(lines[0]).toBe('moderation.decision: kept for 400 days (KINORA_DECISION_RETENTION_DAYS)');
    expect(lines[2]).toMatch(/^decision_202611 .* 2028-01-05T00:00:00\.000Z$/);
  });

  it('replays a policy page by page, and sums up the same changes', async () => {
    const since = '2026-11-01';
    const report = await runJson('decision', 'replay', '--policy', policyFile, '--since', since);

    expect(received).toEqual([
      { policy: 'engines: []\n', since },
      { policy: 'engines: []\n', since, before_decision_id: 'dec-8' },
    ]);
    expect(report).toMatchObject({
      checked: 2_000,
      changes: [
        { to: 'blocked', decisions: 4, decision_ids: ['dec-9', 'dec-8', 'dec-9', 'dec-8'] },
        { to: 'unknown', decisions: 1 },
      ],
      as_recorded: ['rules', 'hash'],
    });
    const { out } = await run('decision', 'replay', '--policy', policyFile);
    expect(out).toMatch(/^5 of 2000 decisions would change\.$/m);
    expect(out).toMatch(/^Findings of rules and hash stay as recorded/m);
  });

  it('lists appeals, and decides one in the name of the operator with a reason', async () => {
    expect(await runJson('appeal', 'list', '--status', 'lifted', '--limit', '5')).toEqual({ data: [APPEAL] });
    expect((await run('appeal', 'list')).out.split('\n')[1]).toMatch(
      /^appeal-1 +acc-1 +job-1 +dec-1 +open .* It is a boat\.$/,
    );
    const decision = ['appeal-1', '--reason', 'a test picture'];
    expect(await runJson('appeal', 'lift', ...decision)).toMatchObject({ status: 'lifted', decided_by: 'ada' });
    expect(await runJson('appeal', 'uphold', ...decision)).toMatchObject({ status: 'upheld' });
    const decided = { appeal_id: 'appeal-1', reason: 'a test picture', actor: 'ada' };
    expect(received).toEqual([
      { status: 'lifted', limit: 5 },
      {},
      { ...decided, status: 'lifted' },
      { ...decided, status: 'upheld' },
    ]);
    expect(await run('appeal', 'lift', 'appeal-1')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('--reason') as string,
    });
  });

  it('names a policy file that cannot be read', async () => {
    expect(await runJson('decision', 'replay', '--policy', path.join(testBed.folder, 'none.yaml'))).toMatchObject({
      error: { code: 'invalid_body', param: '--policy', message: expect.stringContaining('ENOENT') as string },
    });
    expect(received).toEqual([]);
  });
});
