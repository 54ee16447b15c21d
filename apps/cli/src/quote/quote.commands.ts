import { jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { given } from '../option-values';
import { tabulate } from '../output/report';

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
