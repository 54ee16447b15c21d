import { type TestBus, connectTestBus } from '@kinora/testing';
import { type RecordCheckRequest, checksRpc } from '@kinora/contracts/console/checks.rpc';
import { operatorsRpc } from '@kinora/contracts/console/operators.rpc';
import { useConsole } from '../../../test/console.fixtures';
import type { Browser } from '../../../test/browser.fixtures';
import { operatorBrowser } from '../../../test/operator.fixtures';

describe('the checks of the command line', () => {
  const bed = useConsole();
  let bus: TestBus;
  let viewer: Browser;

  beforeAll(async () => {
    bus = await connectTestBus(bed.natsUrl);
    ({ browser: viewer } = await operatorBrowser(bed, 'viewer'));
  });
  afterAll(async () => {
    await bus.close();
  });

  const shown = async () =>
    (await viewer.get('/admin/v1/operator/overview')).json<{ checks: Record<string, unknown>[] }>().checks;

  it('are shown on the overview, each with its last run', async () => {
    expect(await shown()).toEqual([]);
    const failed: RecordCheckRequest = { check: 'doctor', ok: false, summary: '3 checks', problems: ['nats: silent'] };
    await bus.bus.request(checksRpc.record, { ...failed, actor: 'ada' });
    const ran_at = expect.stringMatching(/^20.+Z$/) as string;
    expect(await shown()).toEqual([{ ...failed, actor: 'ada', ran_at }]);
    const passed: RecordCheckRequest = { check: 'doctor', ok: true, summary: '3 checks', problems: [] };
    await bus.bus.request(checksRpc.record, passed);
    await bus.bus.request(checksRpc.record, { ...passed, check: 'ledger_verify', summary: '2 accounts', actor: 'eve' });
    expect(await shown()).toEqual([
      { ...passed, actor: 'command line', ran_at },
      { ...passed, check: 'ledger_verify', summary: '2 accounts', actor: 'eve', ran_at },
    ]);
  });

  it('keep twenty problems of 500 characters', async () => {
    const problems = Array.from({ length: 30 }, () => 'x'.repeat(1_000));
    await bus.bus.request(checksRpc.record, { check: 'doctor', ok: false, summary: '30 checks', problems });
    const [doctor] = await shown();
    expect(doctor?.['problems']).toEqual(Array.from({ length: 20 }, () => 'x'.repeat(500)));
  });

  it.each([
    ['check', { check: 'other', ok: true, summary: 'x', problems: [] }],
    ['ok', { check: 'doctor', ok: 'yes', summary: 'x', problems: [] }],
    ['summary', { check: 'doctor', ok: true, summary: 'x'.repeat(201), problems: [] }],
    ['problems', { check: 'doctor', ok: true, summary: 'x', problems: [7] }],
  ])('are refused with a wrong %s', async (param, request) => {
    await expect(bus.bus.request(checksRpc.record, request as never)).rejects.toMatchObject({ param });
  });

  it('and the management of operators tell the command line what was wrong', async () => {
    const unknown = bus.bus.request(operatorsRpc.setDisabled, { email: 'eve@kinora.test', disabled: true });
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });
});
