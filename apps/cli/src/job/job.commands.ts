import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { formatFields } from '../output/format-fields';
import { formatTable } from '../output/format-table';

const ATTEMPT_COLUMNS = [
  'number',
  'provider',
  'state',
  'outcome',
  'problem',
  'gpu_ms',
  'cancel_outcome',
  'created_at',
  'ended_at',
] as const;

/** Jobs of all accounts. */
export function addJobCommands(program: Command, { stack, print }: CommandContext): void {
  const job = program.command('job').description('jobs of all accounts');
  job
    .command('show')
    .argument('<job-id>')
    .description('a job as its account sees it, and its attempts as providers did')
    .action(async (job_id: string) => {
      const shown = await stack.ask(jobsRpc.show, { job_id });
      const { account_id, job, attempts, canceled_work } = shown;
      const fields = formatFields({ account_id, ...job, canceled_work_of_account: canceled_work });
      print({
        value: shown,
        text: attempts.length === 0 ? fields : `${fields}\n\n${formatTable(attempts, ATTEMPT_COLUMNS)}`,
      });
    });
}
