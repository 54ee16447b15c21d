import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { given } from '../option-values';
import { describe, tabulate } from '../output/report';

/** API keys. */
export function addKeyCommands(program: Command, { stack, print }: CommandContext): void {
  const key = program.command('key').description('API keys');
  key
    .command('create')
    .argument('<account-id>')
    .requiredOption('--name <name>', 'what the key is called')
    .option('--expires-at <time>', 'RFC 3339; never when left out')
    .description('make a key, shown this once')
    .action(async (account_id: string, { name, expiresAt }: { name: string; expiresAt?: string }) => {
      const request = { account_id, name, ...given({ expires_at: expiresAt }) };
      const created = await stack.ask(billingAdminRpc.createKey, request);
      print(describe(created));
    });
  key
    .command('list')
    .argument('<account-id>')
    .description("an account's keys")
    .action(async (account_id: string) => {
      const keys = await stack.ask(billingAdminRpc.listKeys, { account_id });
      const columns = [
        'api_key_id',
        'name',
        'prefix',
        'created_at',
        'expires_at',
        'revoked_at',
        'last_used_at',
      ] as const;
      print(tabulate(keys, columns));
    });
  key
    .command('revoke')
    .argument('<key-id>')
    .description('end a key for good')
    .action(async (api_key_id: string) => {
      const details = await stack.ask(billingAdminRpc.revokeKey, { api_key_id });
      print(describe(details));
    });
}
