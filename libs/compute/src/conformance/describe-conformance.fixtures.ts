import { CANCEL_SCENARIOS } from './cancel-scenarios.fixtures';
import type { ConformanceHarness } from './conformance-harness.fixtures';
import { OPERATION_SCENARIOS } from './operation-scenarios.fixtures';
import { OUTPUT_SCENARIOS } from './output-scenarios.fixtures';
import type { ScenarioId } from './scenario-id.fixtures';
import { type Scenario, SECRET, SECRET_HEADER, Trial } from './trial.fixtures';
import { STATUS_SCENARIOS } from './status-scenarios.fixtures';
import { SUBMISSION_SCENARIOS } from './submission-scenarios.fixtures';

const SCENARIOS: Record<ScenarioId, Scenario> = {
  ...SUBMISSION_SCENARIOS,
  ...STATUS_SCENARIOS,
  ...OUTPUT_SCENARIOS,
  ...CANCEL_SCENARIOS,
  ...OPERATION_SCENARIOS,
};

/** The tests for every adapter, against a fake of its backend that speaks the real wire format. */
export function describeConformance(adapter: string, harness: ConformanceHarness): void {
  const [met, left] = partition(harness);
  describe(`${adapter} conformance`, () => {
    it.each(met.map(([id, { title, run }]) => ({ id, title, run })))('$title ($id)', async ({ run }) => {
      const subject = await harness.start({ [SECRET_HEADER]: SECRET });
      try {
        await run(new Trial(harness, subject));
      } finally {
        await subject.provider.close();
        await subject.backend.stop();
      }
    });

    it(`has a reason for each scenario that it leaves out: ${left.join(', ') || 'none'}`, () => {
      for (const id of left) expect(reasonToLeave(id, harness)).toMatch(/^[A-Z].+ .+\.$/);
    });
  });
}

function partition(harness: ConformanceHarness): [met: [string, Scenario][], left: ScenarioId[]] {
  const ids = Object.keys(SCENARIOS) as ScenarioId[];
  const isMet = (id: ScenarioId): boolean => reasonToLeave(id, harness) === undefined;
  return [ids.filter(isMet).map((id) => [id, SCENARIOS[id]]), ids.filter((id) => !isMet(id))];
}

function reasonToLeave(id: ScenarioId, { cannot, park }: ConformanceHarness): string | undefined {
  return id === 'parked' && !park ? 'Backends of this type park no task.' : cannot[id];
}
