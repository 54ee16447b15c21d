import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { webhooksRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import type { StackClient } from '../stack/stack-client';
import { type Check, check } from './check';

/** Asks each context something that changes nothing. Moderation has no such question: its process tells of itself. */
export function checkContexts(stack: StackClient): Promise<Check[]> {
  return Promise.all([
    check('jobs', async () => {
      await stack.ask(jobsRpc.listFinished, { after: null, limit: 1 });
      return 'answers';
    }),
    check('catalog', async () => {
      const { data } = await stack.ask(catalogRpc.listModels, {});
      return `answers with ${data.length} models`;
    }),
    check('webhook-dispatcher', async () => {
      await stack.ask(webhooksRpc.listDeliveries, { limit: 1 });
      return 'answers';
    }),
    check('billing', async () => {
      const { ok, accounts, entries, violations } = await stack.ask(billingAdminRpc.verifyLedger, {});
      if (!ok) throw new Error(`the ledger has ${violations.length} violations: kinora ledger verify`);
      return `answers, and the ledger holds: ${accounts} accounts, ${entries} entries`;
    }),
  ]);
}
