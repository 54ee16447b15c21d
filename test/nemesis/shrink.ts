import { type Plan, keepOnly } from './swarm';

/** Whether a plan of these operations or faults still fails. */
type Fails = (ids: number[]) => Promise<boolean>;

/**
 * A smaller plan that still fails: takes halves of the operations while one of them fails alone, then leaves out parts of the faults,
 * and then smaller parts of the operations. A failure that needs luck may pass once, so the result is small and not the smallest.
 * @param most how many plans are tried.
 */
export async function shrink(plan: Plan, fails: (plan: Plan) => Promise<boolean>, most: number): Promise<Plan> {
  let attempts = 0;
  let small = plan;
  const isWorse = async (candidate: Plan): Promise<boolean> => {
    const isSmaller = attempts++ < most && (await fails(candidate));
    if (isSmaller) small = candidate;
    return isSmaller;
  };
  const ofOperations: Fails = (ids) => isWorse(keepOnly(small, ids, null));
  const ofFaults: Fails = (ids) => isWorse(keepOnly(small, null, ids));
  await halve(idsOf(plan.operations), ofOperations);
  await leaveOutParts(await halve(idsOf(plan.faults), ofFaults), ofFaults);
  await leaveOutParts(idsOf(small.operations), ofOperations);
  return small;
}

/** The earlier half first: a plan without the later one takes half of the time. */
async function halve(ids: number[], fails: Fails): Promise<number[]> {
  if (ids.length === 0) return ids;
  const middle = Math.floor(ids.length / 2);
  for (const half of [ids.slice(0, middle), ids.slice(middle)])
    if (half.length < ids.length && (await fails(half))) return await halve(half, fails);
  return ids;
}

async function leaveOutParts(ids: number[], fails: Fails): Promise<void> {
  let kept = ids;
  for (let size = Math.ceil(kept.length / 4); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length;) {
      const fewer = [...kept.slice(0, from), ...kept.slice(from + size)];
      if (await fails(fewer)) kept = fewer;
      else from += size;
    }
  }
}

function idsOf(items: { id: number }[]): number[] {
  return items.map(({ id }) => id);
}
