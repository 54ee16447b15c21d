import type { Command } from 'commander';
import { ledgerMonthRpc } from '@kinora/contracts/billing/ledger.rpc';
import { jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { moderationAdminRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import type { RetentionPlan } from '@kinora/contracts/shared/retention';
import { webhooksRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import type { CommandContext } from './command-context';
import { formatTable } from './output/report';

export function addRetentionCommand(program: Command, { stack, print }: CommandContext): void {
  program
    .command('retention')
    .description('how long rows are kept')
    .command('plan')
    .description('what is dropped, when, and what stays of it')
    .action(async () => {
      const [ledger, jobs, decisions, deliveries] = await Promise.all([
        stack.request(ledgerMonthRpc.planRetention, {}),
        stack.request(jobsAdminRpc.planRetention, {}),
        stack.request(moderationAdminRpc.planRetention, {}),
        stack.request(webhooksRpc.planRetention, {}),
      ]);
      const plans = [
        ...inSchema('billing', [ledger]),
        ...inSchema('jobs', jobs.data),
        ...inSchema('moderation', [decisions]),
        ...inSchema('webhook_dispatcher', deliveries.data),
      ];
      print({ value: plans, text: plans.map(describePlan).join('\n\n') });
    });
}

/** With the names of the page on data: two contexts have a table of attempts. */
function inSchema(schema: string, plans: RetentionPlan[]): RetentionPlan[] {
  return plans.map((plan) => ({ ...plan, table: `${schema}.${plan.table}` }));
}

function describePlan(plan: RetentionPlan): string {
  const days = plan.retention_days === null ? 'for ever' : `for ${plan.retention_days} days`;
  const kept = `kept ${plan.retention_months === undefined ? days : `for ${plan.retention_months} months`}`;
  const waits = plan.parts.some(({ waits_for }) => waits_for !== undefined) ? (['waits_for'] as const) : [];
  const table = formatTable(plan.parts, ['name', 'from', 'until', 'rows', 'bytes', 'drops_at', ...waits]);
  return `${plan.table}: ${kept} (${plan.setting})\n${table}\nStays: ${plan.stays}`;
}
