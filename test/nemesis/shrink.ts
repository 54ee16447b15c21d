import { type Plan, keepOnly } from './swarm';

/**
 * A smaller plan that still fails: leaves out halves, then quarters and so on, first of the faults, then of the operations, while
 * the rest still fails. A failure that needs luck may pass once, so the result is small and not the smallest.
 * @param most how many plans are tried.
 */
export async function shrink(plan: Plan, fails: (plan: Plan) => Promise<boolean>, most: number): Promise<Plan> {
  let attempts = 0;
  const isWorse = async (candidate: Plan): Promise<boolean> => attempts++ < most && (await fails(candidate));
  const faults = await shrinkIds(idsOf(plan.faults), (ids) => isWorse(keepOnly(plan, null, ids)));
  const quieter = keepOnly(plan, null, faults);
  const operations = await shrinkIds(idsOf(plan.operations), (ids) => isWorse(keepOnly(quieter, ids, null)));
  return keepOnly(quieter, operations, null);
}

async function shrinkIds(ids: number[], fails: (ids: number[]) => Promise<boolean>): Promise<number[]> {
  let kept = ids;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length;) {
      const fewer = [...kept.slice(0, from), ...kept.slice(from + size)];
      if (await fails(fewer)) kept = fewer;
      else from += size;
    }
  }
  return kept;
}

function idsOf(items: { id: number }[]): number[] {
  return items.map(({ id }) => id);
}
