import { randomBytes } from 'node:crypto';
import { deadlineIn, runInCall } from '@kinora/bus/client';
import { explainError, toApiError, toErrorEnvelope } from './output/error-envelope';
import { runCommand } from './run-command';
import { StackClient } from './stack/stack-client';

/** What a run of the CLI reads and writes outside itself. */
export interface CliStreams {
  env: NodeJS.ProcessEnv;
  out: (text: string) => void;
  err: (text: string) => void;
}

/** Longer than a long ledger takes to verify, page by page; each request has its own, shorter limit. */
const RUN_TIMEOUT_MS = 3_600_000;

/**
 * Runs one command. With `--json`, standard output gets exactly one JSON value, also after an error.
 * @returns the exit code.
 */
export async function runCli(argv: string[], { env, out, err }: CliStreams): Promise<number> {
  const asJson = argv.includes('--json');
  const call = { requestId: `req_${randomBytes(12).toString('hex')}`, deadlineAtMs: deadlineIn(RUN_TIMEOUT_MS) };
  const stack = new StackClient(env);
  try {
    const { value, text, failed } = await runInCall(call, () =>
      runCommand(argv, { stack, printNotice: err, show: asJson ? () => undefined : out }),
    );
    out(asJson ? JSON.stringify(value) : text);
    return failed === true ? 1 : 0;
  } catch (error) {
    const problem = toApiError(error);
    if (asJson) out(JSON.stringify(toErrorEnvelope(problem, call.requestId)));
    else err(explainError(problem, call.requestId));
    return 1;
  } finally {
    await stack.close();
  }
}
