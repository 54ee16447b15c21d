import { type Command, Option } from 'commander';
import { JOB_STATUSES, type JobStatus } from '@kinora/contracts/jobs/job';
import { jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { CommandContext } from '../command-context';
import { given, positiveIntegerOf } from '../option-values';
import { formatFields, formatTable, tabulate } from '../output/report';

const ATTEMPT_COLUMNS = [
  'number',
  'provider',
  'state',
  'outcome',
  'problem',
  'reason',
  'gpu_ms',
  'cancel_outcome',
  'created_at',
  'ended_at',
] as const;

const SUMMARY_COLUMNS = [
  'job_id',
  'account_id',
  'status',
  'error_code',
  'kind',
  'model',
  'charged_micros',
  'created_at',
  'completed_at',
] as const;

interface ListOptions {
  account?: string;
  status?: JobStatus;
  model?: string;
  limit?: number;
  cursor?: string;
}

export function addJobCommands(program: Command, context: CommandContext): void {
  const job = program.command('job').description('jobs of all accounts');
  addList(job, context);
  addShow(job, context);
}

function addList(job: Command, { stack, print }: CommandContext): void {
  job
    .command('list')
    .option('--account <id>', 'only those of this account')
    .addOption(new Option('--status <status>', 'only these').choices(JOB_STATUSES))
    .option('--model <id>', 'only those of this model')
    .option('--limit <n>', 'jobs on the page, at most 100 (default: 20)', positiveIntegerOf('--limit'))
    .option('--cursor <cursor>', 'cursor of the page, as the previous page shows it')
    .description('jobs of all accounts, newest first')
    .action(async ({ account: account_id, status, model, limit, cursor }: ListOptions) => {
      const page = await stack.request(jobsAdminRpc.listAll, given({ account_id, status, model, limit, cursor }));
      print(tabulate(page, SUMMARY_COLUMNS));
    });
}

function addShow(job: Command, { stack, print }: CommandContext): void {
  job
    .command('show <job-id>')
    .description('a job as its account sees it, and its attempts with their providers')
    .action(async (job_id: string) => {
      const shown = await stack.request(jobsRpc.show, { job_id });
      const { account_id, job, attempts, canceled_work } = shown;
      const fields = formatFields({ account_id, ...job, canceled_work_of_account: canceled_work });
      print({
        value: shown,
        text: attempts.length === 0 ? fields : `${fields}\n\n${formatTable(attempts, ATTEMPT_COLUMNS)}`,
      });
    });
}

const SALES_COLUMNS = ['day', 'model', 'jobs', 'quoted_micros', 'list_micros', 'shortfall_micros'] as const;

interface SalesOptions {
  since?: string;
  account?: string;
}

/** Adds the commands for quotes. A quote itself is stored nowhere; the jobs that were sold under one are. */
export function addQuoteCommands(program: Command, { stack, print }: CommandContext): void {
  program
    .command('quote')
    .description('prices that quotes held')
    .command('sales')
    .description(
      'jobs sold under a quote at another price than the price list had, by day and model; without refunded ones',
    )
    .option('--since <time>', 'jobs created since then (default: 30 days ago)')
    .option('--account <id>', 'only those of this account')
    .action(async ({ since, account: account_id }: SalesOptions) => {
      const sales = await stack.request(jobsAdminRpc.listQuoteSales, given({ since, account_id }));
      print(tabulate(sales, SALES_COLUMNS));
    });
}
