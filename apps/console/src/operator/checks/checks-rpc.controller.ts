import { Controller, UseFilters } from '@nestjs/common';
import { Handles, PassThroughRpcFilter } from '@kinora/bus';
import { CHECKS, type CheckResult, type RecordCheckRequest, checksRpc } from '@kinora/contracts/console/checks.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { booleanField, oneOfField, textField } from '../../http/body-fields';
import { CheckResults } from './check-results';

const SUMMARY_MAX_CHARS = 200;
const PROBLEM_MAX_CHARS = 500;
const ACTOR_MAX_CHARS = 100;

/** Receives the results of `kinora doctor` and `kinora ledger verify`. */
@Controller()
@UseFilters(new PassThroughRpcFilter())
export class ChecksRpcController {
  constructor(private readonly results: CheckResults) {}

  @Handles(checksRpc.record)
  async record(request: RecordCheckRequest): Promise<CheckResult> {
    const run = {
      check: oneOfField(request, 'check', CHECKS),
      ok: booleanField(request, 'ok'),
      summary: textField(request, 'summary', SUMMARY_MAX_CHARS),
      problems: problemsOf(request),
    };
    return this.results.record(run, String(request.actor ?? 'command line').slice(0, ACTOR_MAX_CHARS));
  }
}

function problemsOf({ problems }: { problems: unknown }): string[] {
  if (Array.isArray(problems) && problems.every((problem): problem is string => typeof problem === 'string'))
    return problems.map((problem) => problem.slice(0, PROBLEM_MAX_CHARS));
  throw new ApiError('invalid_body', 'problems must be a list of texts.', { param: 'problems' });
}
