import { CHECK_PROBLEMS_MAX, type RecordCheckRequest, checksRpc } from '@kinora/contracts/console/checks.rpc';
import type { StackClient } from './stack-client';

/** Shows the result on the overview of the console. A stack without a console keeps none, and the command is the same. */
export async function recordCheck(stack: StackClient, run: RecordCheckRequest): Promise<void> {
  const problems = run.problems.slice(0, CHECK_PROBLEMS_MAX);
  await stack.requestAsOperator(checksRpc.record, { ...run, problems }).catch(() => undefined);
}
