import { findViolations } from '../nemesis/checker';
import { Receivers } from '../nemesis/receivers';
import { runPlan } from '../nemesis/run-plan';
import { NemesisStack } from '../nemesis/stack';
import { drawPlan } from '../nemesis/swarm';

/** Its faults are over soon, and the stack is at rest within seconds. */
const PLAN = drawPlan(170, 0.3);

describe('random operations and faults', () => {
  let receivers: Receivers;
  let stack: NemesisStack;

  beforeAll(async () => {
    receivers = await Receivers.start();
    stack = await NemesisStack.start(receivers.port, PLAN.installation);
  }, 120_000);
  afterAll(async () => {
    await stack.end();
    await receivers.close();
  }, 60_000);

  it('break no rule in a short run', async () => {
    const history = await runPlan(PLAN, stack, receivers);
    expect(findViolations(history)).toEqual([]);
    expect(history.faults.some(({ effects }) => effects > 0)).toBe(true);
    expect(history.rest.accounts.some(({ jobs }) => jobs.some(({ status }) => status === 'succeeded'))).toBe(true);
  }, 240_000);
});
