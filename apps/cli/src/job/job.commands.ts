import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { formatFields } from '../output/format-fields';

/** Jobs of all accounts. */
export function addJobCommands(program: Command, { stack, print }: CommandContext): void {
  const job = program.command('job').description('jobs of all accounts');
  job
    .command('show')
    .argument('<job-id>')
    .description('a job as its account sees it')
    .action(async (job_id: string) => {
      const shown = await stack.ask(jobsRpc.show, { job_id });
      print({ value: shown, text: formatFields({ account_id: shown.account_id, ...shown.job }) });
    });
}
