import { randomUUID } from 'node:crypto';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import sharp from 'sharp';
import { onBus, openAccount } from '../support/operator';
import { Clients } from './clients';
import type { OpenedAccount } from './payments';
import { Faults } from './faults';
import type { History } from './history';
import type { Receivers } from './receivers';
import { Rest } from './rest';
import type { NemesisStack } from './stack';
import { listFiles } from './stored-files';
import type { Plan } from './swarm';

/** Runs a plan with accounts of its own, and returns everything that was seen from outside. */
export async function runPlan(plan: Plan, stack: NemesisStack, receivers: Receivers): Promise<History> {
  const accounts: OpenedAccount[] = [];
  const priceGroup = `nemesis-${randomUUID().slice(0, 8)}`;
  for (const { balanceMicros, maxConcurrentJobs } of plan.accounts) {
    const limits = {
      balance_micros: balanceMicros,
      max_concurrent_jobs: maxConcurrentJobs,
      key_scope: 'account',
    } as const;
    const account = await openAccount(stack.stack, limits);
    const group = { account_id: account.accountId, price_group: priceGroup };
    // The baseline had none.
    if (stack.currentSinceMs === 0)
      await onBus(stack.stack, (bus) => bus.request(billingAdminRpc.setPriceGroup, group));
    accounts.push(account);
  }
  const before = { files: new Set(await listFiles(stack.dependencies.objects)), memory: await stack.readMemory() };
  const deliveries: History['deliveries'] = [];
  stack.backend.runs = [];
  receivers.begin(accounts, deliveries);
  const receiverPort = stack.links['receiver']?.port ?? 0;
  const clients = new Clients(
    stack,
    accounts,
    priceGroup,
    (receiver, account) => receivers.urlOf(receiver, account, receiverPort),
    await drawImage(),
  );
  const faults = new Faults(stack);
  await Promise.all([
    ...plan.operations.map((operation) => clients.perform(operation)),
    ...plan.faults.map((fault) => faults.happen(fault)),
  ]);
  const rest = await new Rest(stack, plan, clients, accounts, deliveries, before).read();
  return { plan, calls: clients.calls, deliveries, faults: faults.seen, backendRuns: stack.backend.runs, rest };
}

async function drawImage(): Promise<string> {
  const background = { r: 90, g: 140, b: 200 };
  const image = await sharp({ create: { width: 128, height: 128, channels: 3, background } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${image.toString('base64')}`;
}
