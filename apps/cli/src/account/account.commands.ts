import { Argument, type Command, Option } from 'commander';
import { ACCOUNT_STATUSES, type AccountStatus } from '@kinora/contracts/billing/account';
import { accountListRpc } from '@kinora/contracts/billing/account-list.rpc';
import { API_KEY_PREFIX, KEY_SCOPES, type KeyScope } from '@kinora/contracts/billing/api-key-format';
import {
  type AccountDetails,
  type AccountLimits,
  billingAdminRpc,
  DEFAULT_GRACE_HOURS,
  DEFAULT_LIMITS,
} from '@kinora/contracts/billing/billing-admin.rpc';
import { PORTAL_LINK_TTL_SECONDS, portalLinkRpc } from '@kinora/contracts/billing/portal.rpc';
import { moderationAdminRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { type Micros, toUsd } from '@kinora/contracts/shared/money';
import type { CommandContext } from '../command-context';
import { CURSOR, given, listOf, positiveIntegerOf, usdOf, wholeNumberOf } from '../option-values';
import { UsageError } from '../output/error-envelope';
import { describe, formatFields, type Report, tabulate } from '../output/report';
import type { StackClient } from '../stack/stack-client';
import { addBalanceCommands, addRechargeCommands } from './balance.commands';

/** Above any sensible limit of strikes. */
const MAX_STRIKES = 1_000;

/**
 * An activated account keeps its strikes, so the next strike may suspend it again. The report shows how many stand. The
 * status is set even if moderation does not answer.
 */
async function withStandingStrikes(details: AccountDetails, stack: StackClient): Promise<Report> {
  const { account_id } = details;
  const strikes = await stack
    .request(moderationAdminRpc.listStrikes, { account_id, limit: MAX_STRIKES })
    .catch(() => null);
  const standing = strikes && strikes.data.filter(({ lifted_at }) => lifted_at === null).length;
  const text = formatFields(details);
  return {
    value: { ...details, standing_strikes: standing },
    text: standing === 0 ? text : `${text}\n\n${explain(standing, account_id)}`,
  };
}

function explain(standing: number | null, accountId: string): string {
  if (standing === null) return 'Moderation does not answer, so the number of standing strikes is unknown.';
  return (
    `${standing} ${standing === 1 ? 'strike still stands' : 'strikes still stand'}: the next one may suspend the account again. ` +
    `See kinora strike list --account ${accountId}, and kinora strike lift STRIKE_ID --reason R.`
  );
}

/** The prefix of a key that is stored and shown; the rest of a key must not leave this process. */
const SHOWN_KEY_LENGTH = 12;

/** Adds the command that finds accounts by name, by a key, or by the beginning of the id. */
function addAccountList(account: Command, { stack, print }: CommandContext): void {
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

interface LinkOptions {
  ttl?: number;
  capabilities?: string[];
  consoleUrl?: string;
}

function addPortalLink(account: Command, { stack, print }: CommandContext): void {
  const { default: ttl } = PORTAL_LINK_TTL_SECONDS;
  account
    .command('portal-link <account-id>')
    .option('--ttl <seconds>', `how long the link can be used (default: ${ttl})`, positiveIntegerOf('--ttl'))
    .option('--capabilities <list>', `what the session may do, of ${KEY_SCOPES.join(', ')} (default: jobs)`, listOf)
    .option('--console-url <url>', 'address of the console; that of the local stack if omitted')
    .description('make a link that signs a customer in to the console once, shown this once')
    .action(async (account_id: string, { ttl: ttl_seconds, capabilities, consoleUrl }: LinkOptions) => {
      // Billing refuses what is no capability, and names the field.
      const options = given({ ttl_seconds, capabilities: capabilities as KeyScope[] | undefined });
      const created = await stack.requestAsOperator(portalLinkRpc.createLink, { account_id, ...options });
      const { token, ...shown } = created;
      const console_url = consoleUrl ?? stack.find().console_url ?? '';
      print(describe({ ...shown, url: `${console_url.replace(/\/$/, '')}/portal#token=${token}` }));
    });
}

/** Enough to try the service. The default belongs to this command; billing has none. */
const OPENING_BALANCE_MICROS = 10_000_000;

interface LimitOptions {
  rpm?: number;
  maxConcurrentJobs?: number;
  retentionDays?: number;
}

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
      print(describe(await stack.requestAsOperator(billingAdminRpc.createAccount, request)));
    });
}

function addReads(account: Command, { stack, print }: CommandContext): void {
  account
    .command('show <account-id>')
    .description('an account with its balance and limits')
    .action(async (account_id: string) => {
      print(describe(await stack.request(billingAdminRpc.showAccount, { account_id })));
    });
  account
    .command('history <account-id>')
    .option('--cursor <cursor>', CURSOR)
    .description('changes of an account by operators and by its keys, newest first')
    .action(async (account_id: string, { cursor }: { cursor?: string }) => {
      const actions = await stack.request(billingAdminRpc.listActions, { account_id, ...given({ cursor }) });
      print(tabulate(actions, ['created_at', 'action', 'actor', 'api_key_id', 'reason', 'details']));
    });
}

function addStatus(account: Command, { stack, print }: CommandContext): void {
  account
    .command('set-status <account-id>')
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
      print(describe(await stack.requestAsOperator(billingAdminRpc.setLimits, { account_id, ...limits })));
    });
}

function addSecret(account: Command, { stack, print }: CommandContext): void {
  account
    .command('rotate-webhook-secret <account-id>')
    .option(
      '--grace-hours <n>',
      `how long the old secret also signs${shown(DEFAULT_GRACE_HOURS)}`,
      wholeNumberOf('--grace-hours'),
    )
    .description('make a new webhook secret, shown this once')
    .action(async (account_id: string, { graceHours: grace_hours }: { graceHours?: number }) => {
      const request = { account_id, ...given({ grace_hours }) };
      print(describe(await stack.requestAsOperator(billingAdminRpc.rotateWebhookSecret, request)));
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
