import { CAP_PERIODS, type CapPeriod, billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { KEY_SCOPES, type KeyScope } from '@kinora/contracts/billing/api-key-format';
import type { Micros } from '@kinora/contracts/shared/money';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context';
import { CURSOR, given, listOf, usdOf } from '../option-values';
import { describe, tabulate } from '../output/report';

interface CreateOptions {
  name: string;
  scope?: KeyScope;
  expiresAt?: string;
  models?: string[];
  capUsd?: Micros;
  capPeriod?: CapPeriod;
}

export function addKeyCommands(program: Command, { stack, print }: CommandContext): void {
  const key = program.command('key').description('API keys');
  key
    .command('create <account-id>')
    .requiredOption('--name <name>', 'name of the key')
    .addOption(new Option('--scope <scope>', 'what it may do; jobs if omitted').choices(KEY_SCOPES))
    .option('--expires-at <time>', 'RFC 3339; the key never expires if omitted')
    .option('--models <ids>', 'the only models that it may use, separated by commas', listOf)
    .option('--cap-usd <usd>', 'what its jobs may cost in one period', usdOf('--cap-usd'))
    .addOption(new Option('--cap-period <period>', 'of UTC').choices(CAP_PERIODS))
    .description('make a key, shown this once')
    .action(async (account_id: string, { name, scope, expiresAt, models, capUsd, capPeriod }: CreateOptions) => {
      const limits = {
        scope,
        expires_at: expiresAt,
        allowed_models: models,
        cap_micros: capUsd,
        cap_period: capPeriod,
      };
      print(describe(await stack.requestAsOperator(billingAdminRpc.createKey, { account_id, name, ...given(limits) })));
    });
  key
    .command('list <account-id>')
    .option('--cursor <cursor>', CURSOR)
    .description("an account's keys")
    .action(async (account_id: string, { cursor }: { cursor?: string }) => {
      const keys = await stack.request(billingAdminRpc.listKeys, { account_id, ...given({ cursor }) });
      const columns = [
        'api_key_id',
        'name',
        'prefix',
        'scope',
        'allowed_models',
        'cap_micros',
        'cap_period',
        'spent_in_period_micros',
        'created_at',
        'expires_at',
        'revoked_at',
        'last_used_at',
      ] as const;
      print(tabulate(keys, columns));
    });
  key
    .command('revoke <key-id>')
    .description('revoke a key permanently')
    .action(async (api_key_id: string) => {
      print(describe(await stack.requestAsOperator(billingAdminRpc.revokeKey, { api_key_id })));
    });
}
