import { ACCOUNT_STATUSES, type AccountStatus } from '@kinora/contracts/billing/account';
import {
  type AccountLimits,
  DEFAULT_GRACE_HOURS,
  DEFAULT_LIMITS,
  billingAdminRpc,
} from '@kinora/contracts/billing/billing-admin.rpc';
import { KEY_SCOPES, type KeyScope } from '@kinora/contracts/billing/key-scope';
import { type Micros, toUsd } from '@kinora/contracts/shared/money';
import { Argument, type Command, Option } from 'commander';
import type { CommandContext } from '../command-context';
import { CURSOR, given, positiveIntegerOf, usdOf, wholeNumberOf } from '../option-values';
import { describe, tabulate } from '../output/report';
import { withStandingStrikes } from './standing-strikes';
import { UsageError } from '../usage-error';
import { addAccountList } from './account-list.command';
import { addBalanceCommands } from './balance.commands';
import { addPortalLink } from './portal-link.command';
import { addRechargeCommands } from './recharge.commands';

/** Enough to try the service. The default belongs to this command; billing has none. */
const OPENING_BALANCE_MICROS = 10_000_000;

interface LimitOptions {
  rpm?: number;
  maxConcurrentJobs?: number;
  retentionDays?: number;
}

/** Accounts, their money and their limits. */
export function addAccountCommands(program: Command, context: CommandContext): void {
  const account = program.command('account').description('accounts, their money and their limits');
  addCreate(account, context);
  addReads(account, context);
  addAccountList(account, context);
  addBalanceCommands(account, context);
  addRechargeCommands(account, context);
  addStatus(account, context);
  addLimits(account, context);
  addSecret(account, context);
  addPortalLink(account, context);
}

function addCreate(account: Command, { stack, print }: CommandContext): void {
  withLimits(account.command('create'), DEFAULT_LIMITS)
    .description('make an account with a first key and a webhook secret, both shown this once')
    .requiredOption('--name <name>', 'name of the account')
    .addOption(
      new Option('--balance-usd <usd>', 'initial balance')
        .argParser(usdOf('--balance-usd'))
        .default(OPENING_BALANCE_MICROS, String(toUsd(OPENING_BALANCE_MICROS))),
    )
    .addOption(new Option('--key-scope <scope>', 'what its first key may do; jobs if omitted').choices(KEY_SCOPES))
    .action(async (options: LimitOptions & { name: string; balanceUsd: Micros; keyScope?: KeyScope }) => {
      const { name, balanceUsd: balance_micros, keyScope: key_scope } = options;
      const request = { name, balance_micros, ...given({ key_scope }), ...toLimits(options) };
      const created = await stack.requestAsOperator(billingAdminRpc.createAccount, request);
      print(describe(created));
    });
}

function addReads(account: Command, { stack, print }: CommandContext): void {
  account
    .command('show')
    .argument('<account-id>')
    .description('an account with its balance and limits')
    .action(async (account_id: string) => {
      const details = await stack.request(billingAdminRpc.showAccount, { account_id });
      print(describe(details));
    });
  account
    .command('history')
    .argument('<account-id>')
    .option('--cursor <cursor>', CURSOR)
    .description('changes of an account by operators and by its keys, newest first')
    .action(async (account_id: string, { cursor }: { cursor?: string }) => {
      const actions = await stack.request(billingAdminRpc.listActions, { account_id, ...given({ cursor }) });
      print(tabulate(actions, ['created_at', 'action', 'actor', 'api_key_id', 'reason', 'details']));
    });
}

function addStatus(account: Command, { stack, print }: CommandContext): void {
  account
    .command('set-status')
    .argument('<account-id>')
    .addArgument(new Argument('<status>').choices(ACCOUNT_STATUSES))
    .option('--reason <reason>', 'stored with the account')
    .description('permit or forbid an account to create jobs')
    .action(async (account_id: string, status: AccountStatus, { reason }: { reason?: string }) => {
      const details = await stack.requestAsOperator(billingAdminRpc.setStatus, {
        account_id,
        status,
        ...given({ reason }),
      });
      print(status === 'active' ? await withStandingStrikes(details, stack) : describe(details));
    });
}

function addLimits(account: Command, { stack, print }: CommandContext): void {
  withLimits(account.command('set-limits'))
    .argument('<account-id>')
    .description('change the limits that are given')
    .action(async (account_id: string, options: LimitOptions) => {
      const limits = toLimits(options);
      if (Object.keys(limits).length === 0)
        throw new UsageError('error: --rpm, --max-concurrent-jobs or --retention-days must be given');
      const details = await stack.requestAsOperator(billingAdminRpc.setLimits, { account_id, ...limits });
      print(describe(details));
    });
}

function addSecret(account: Command, { stack, print }: CommandContext): void {
  account
    .command('rotate-webhook-secret')
    .argument('<account-id>')
    .option(
      '--grace-hours <n>',
      `how long the old secret also signs${shown(DEFAULT_GRACE_HOURS)}`,
      wholeNumberOf('--grace-hours'),
    )
    .description('make a new webhook secret, shown this once')
    .action(async (account_id: string, { graceHours: grace_hours }: { graceHours?: number }) => {
      const request = { account_id, ...given({ grace_hours }) };
      const rotated = await stack.requestAsOperator(billingAdminRpc.rotateWebhookSecret, request);
      print(describe(rotated));
    });
}

function withLimits(command: Command, defaults: AccountLimits = {}): Command {
  const [rpm, jobs, days] = [defaults.rate_limit_rpm, defaults.max_concurrent_jobs, defaults.retention_days].map(shown);
  return command
    .option('--rpm <n>', `requests a minute for each key${rpm}`, positiveIntegerOf('--rpm'))
    .option('--max-concurrent-jobs <n>', `jobs in flight at once${jobs}`, positiveIntegerOf('--max-concurrent-jobs'))
    .option('--retention-days <n>', `days that outputs are kept${days}`, positiveIntegerOf('--retention-days'));
}

/** Billing applies the default; this command only shows it in its help. */
function shown(byDefault: number | undefined): string {
  return byDefault === undefined ? '' : ` (default: ${byDefault})`;
}

function toLimits({ rpm, maxConcurrentJobs, retentionDays }: LimitOptions) {
  return given({ rate_limit_rpm: rpm, max_concurrent_jobs: maxConcurrentJobs, retention_days: retentionDays });
}
