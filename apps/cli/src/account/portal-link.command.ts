import { KEY_SCOPES, type KeyScope } from '@kinora/contracts/billing/key-scope';
import { PORTAL_LINK_TTL_SECONDS, portalLinkRpc } from '@kinora/contracts/billing/portal-link.rpc';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { given, listOf, positiveIntegerOf } from '../option-values';
import { describe } from '../output/report';

interface LinkOptions {
  ttl?: number;
  capabilities?: string[];
  consoleUrl?: string;
}

export function addPortalLink(account: Command, { stack, print }: CommandContext): void {
  const { default: ttl } = PORTAL_LINK_TTL_SECONDS;
  account
    .command('portal-link')
    .argument('<account-id>')
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
