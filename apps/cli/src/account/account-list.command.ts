import { ACCOUNT_STATUSES, type AccountStatus } from '@kinora/contracts/billing/account';
import { accountListRpc } from '@kinora/contracts/billing/account-list.rpc';
import { API_KEY_PREFIX } from '@kinora/contracts/billing/api-key-format';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context';
import { given, positiveIntegerOf } from '../option-values';
import { tabulate } from '../output/report';

/** The prefix of a key that is stored and shown; the rest of a key must not leave this process. */
const SHOWN_KEY_LENGTH = 12;

/** Adds the command that finds accounts by name, by a key, or by the beginning of the id. */
export function addAccountList(account: Command, { stack, print }: CommandContext): void {
  account
    .command('list')
    .option('--search <text>', 'in the name, or the beginning of the id or of a key')
    .addOption(new Option('--status <status>', 'only these').choices(ACCOUNT_STATUSES))
    .option('--limit <n>', 'accounts on the page, at most 100 (default: 20)', positiveIntegerOf('--limit'))
    .option('--cursor <cursor>', 'cursor of the page, as the previous page shows it')
    .description('accounts, newest first')
    .action(async (options: { search?: string; status?: AccountStatus; limit?: number; cursor?: string }) => {
      const { search, status, limit, cursor } = options;
      const sought = search?.startsWith(API_KEY_PREFIX) ? search.slice(0, SHOWN_KEY_LENGTH) : search;
      const page = await stack.request(accountListRpc.listAccounts, given({ search: sought, status, limit, cursor }));
      print(tabulate(page, ['account_id', 'name', 'status', 'balance_micros', 'in_flight_jobs', 'created_at']));
    });
}
