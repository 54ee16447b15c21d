import { DELIVERY_STATUSES, type DeliveryStatus, webhooksRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context';
import { CURSOR, given, positiveIntegerOf } from '../option-values';
import { describe, formatFields, formatTable, tabulate } from '../output/report';

interface ListOptions {
  account?: string;
  job?: string;
  event?: string;
  status?: DeliveryStatus;
  limit?: number;
  cursor?: string;
}

export function addWebhookCommands(program: Command, context: CommandContext): void {
  const webhook = program.command('webhook').description('deliveries of webhooks');
  addReports(webhook, context);
  addOrders(webhook, context);
}

function addReports(webhook: Command, { stack, print }: CommandContext): void {
  webhook
    .command('list')
    .option('--account <account-id>', 'only of this account')
    .option('--job <job-id>', 'only of this job')
    .option('--event <event-id>', 'only of this event')
    .addOption(new Option('--status <status>', 'only in this state').choices(DELIVERY_STATUSES))
    .option('--limit <n>', 'how many, the newest ones', positiveIntegerOf('--limit'))
    .option('--cursor <cursor>', CURSOR)
    .description('deliveries, newest first')
    .action(async ({ account: account_id, job: job_id, event: event_id, status, limit, cursor }: ListOptions) => {
      const request = given({ account_id, job_id, event_id, status, limit, cursor });
      const columns = ['delivery_id', 'event_type', 'job_id', 'status', 'attempts'] as const;
      const outcome = [
        'last_response_status',
        'last_error',
        'last_latency_ms',
        'next_attempt_at',
        'created_at',
      ] as const;
      print(tabulate(await stack.request(webhooksRpc.listDeliveries, request), [...columns, ...outcome]));
    });
  webhook
    .command('show <delivery-id>')
    .description('a delivery with each of its attempts')
    .action(async (delivery_id: string) => {
      const shown = await stack.request(webhooksRpc.getDelivery, { delivery_id });
      const columns = ['number', 'ended_at', 'response_status', 'error', 'latency_ms'] as const;
      print({ value: shown, text: `${formatFields(shown.delivery)}\n\n${formatTable(shown.attempts, columns)}` });
    });
  webhook
    .command('endpoints')
    .option('--account <account-id>', 'only of this account')
    .option('--limit <n>', 'how many, those with the most failures', positiveIntegerOf('--limit'))
    .option('--cursor <cursor>', CURSOR)
    .description('endpoints whose deliveries fail now, or were exhausted in the last seven days')
    .action(async ({ account: account_id, limit, cursor }: Pick<ListOptions, 'account' | 'limit' | 'cursor'>) => {
      const endpoints = await stack.request(webhooksRpc.listFailingEndpoints, given({ account_id, limit, cursor }));
      const columns = ['account_id', 'host', 'retrying', 'exhausted', 'last_response_status', 'last_error'] as const;
      print(tabulate(endpoints, [...columns, 'next_attempt_at']));
    });
}

function addOrders(webhook: Command, { stack, print }: CommandContext): void {
  webhook
    .command('redeliver <delivery-id>')
    .description('deliver the same event once more, under a new delivery id')
    .action(async (delivery_id: string) => {
      print(describe(await stack.request(webhooksRpc.redeliver, { delivery_id })));
    });
  webhook
    .command('recover <account-id>')
    .requiredOption('--since <time>', 'RFC 3339, or a date')
    .description('redeliver everything that was exhausted since then')
    .action(async (account_id: string, { since }: { since: string }) => {
      print(describe(await stack.request(webhooksRpc.recoverDeliveries, { account_id, since })));
    });
  webhook
    .command('test <account-id>')
    .requiredOption('--url <url>', 'where to')
    .description("send a test event, signed with the account's secret")
    .action(async (account_id: string, { url }: { url: string }) => {
      print(describe(await stack.request(webhooksRpc.sendTestEvent, { account_id, url })));
    });
}
