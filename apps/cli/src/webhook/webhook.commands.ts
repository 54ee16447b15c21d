import { DELIVERY_STATUSES, type DeliveryStatus, webhooksRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context';
import { given, positiveIntegerOf } from '../option-values';
import { tabulate } from '../output/report';

interface ListOptions {
  account?: string;
  job?: string;
  status?: DeliveryStatus;
  limit?: number;
}

/** Deliveries of webhooks. */
export function addWebhookCommands(program: Command, { stack, print }: CommandContext): void {
  const webhook = program.command('webhook').description('deliveries of webhooks');
  webhook
    .command('list')
    .option('--account <account-id>', 'only of this account')
    .option('--job <job-id>', 'only of this job')
    .addOption(new Option('--status <status>', 'only in this state').choices(DELIVERY_STATUSES))
    .option('--limit <n>', 'how many, the newest ones', positiveIntegerOf('--limit'))
    .description('deliveries, newest first')
    .action(async ({ account: account_id, job: job_id, status, limit }: ListOptions) => {
      const request = given({ account_id, job_id, status, limit });
      const deliveries = await stack.ask(webhooksRpc.listDeliveries, request);
      const columns = [
        'delivery_id',
        'event_type',
        'job_id',
        'status',
        'attempts',
        'last_error',
        'created_at',
      ] as const;
      print(tabulate(deliveries, columns));
    });
}
