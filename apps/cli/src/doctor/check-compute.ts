import type { ModelExamination, ProviderExamination } from '@kinora/contracts/jobs/examination';
import { type CheckResult, inOrder, notTried, runCheck } from './check';
import type { Examination } from './examination';

const MODELS = 'npm run --silent kinora -- model list';

/**
 * Has jobs examine every compute instance and the routes of models to them: the only check that reaches the backends.
 */
export async function* checkCompute(examination: Examination): AsyncGenerator<CheckResult> {
  const missing = examination.failedOf(['jobs', 'catalog']);
  if (missing.length > 0) {
    yield notTried('compute', `${missing.join(' and ')} must answer first`);
    return;
  }
  const results: Promise<CheckResult>[] = [];
  const outcome = await runCheck('compute', examination.remedyFor('jobs'), async () => {
    const { providers, models } = await examination.examineCompute();
    results.push(...providers.map((each) => checkProvider(each, examination)), ...models.map(checkModel));
    return 'jobs has examined every instance';
  });
  if (outcome.ok) yield* inOrder(results);
  else yield outcome;
}

function checkProvider(provider: ProviderExamination, examination: Examination): Promise<CheckResult> {
  const { id, type, state, version, free_slots, problems } = provider;
  return runCheck(`provider ${id}`, examination.remedyFor(type === 'sandbox' ? 'sandbox' : 'jobs'), async () => {
    if (state !== 'up' || problems.length > 0) throw new Error(`${type} is ${state}. ${problems.join(' ')}`.trim());
    const facts = [version && `version ${version}`, free_slots !== undefined && `${free_slots} places free`];
    return [`${type} is up`, ...facts.filter(Boolean)].join(', ');
  });
}

function checkModel({ id, providers, problems }: ModelExamination): Promise<CheckResult> {
  return runCheck(`model ${id}`, { next: MODELS }, async () => {
    if (problems.length > 0) throw new Error(problems.join(' '));
    return `runs at ${providers.join(', ')}`;
  });
}
