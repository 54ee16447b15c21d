import type { ModelExamination, ProviderExamination } from '@kinora/contracts/jobs/examination';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { StackClient } from '../stack/stack-client';
import { type Check, check } from './check';

/** Has jobs look at every compute instance and at the ways of models to them: the one check that asks the backends themselves. */
export async function checkCompute(stack: StackClient): Promise<Check[]> {
  let examination: { providers: ProviderExamination[]; models: ModelExamination[] };
  try {
    examination = await stack.ask(jobsRpc.examineProviders, {});
  } catch (error) {
    return [{ name: 'compute', ok: false, detail: String(error) }];
  }
  const { providers, models } = examination;
  return await Promise.all([...providers.map(checkProvider), ...models.map(checkModel)]);
}

function checkProvider({ id, type, state, version, free_slots, problems }: ProviderExamination): Promise<Check> {
  return check(`provider ${id}`, async () => {
    if (state !== 'up' || problems.length > 0) throw new Error(`${type} is ${state}. ${problems.join(' ')}`.trim());
    const facts = [version && `version ${version}`, free_slots !== undefined && `${free_slots} places free`];
    return [`${type} is up`, ...facts.filter(Boolean)].join(', ');
  });
}

function checkModel({ id, providers, problems }: ModelExamination): Promise<Check> {
  return check(`model ${id}`, async () => {
    if (problems.length > 0) throw new Error(problems.join(' '));
    return `runs at ${providers.join(', ')}`;
  });
}
