import sharp from 'sharp';
import { openAccount } from '../support/operator';
import { Clients, type OpenedAccount } from './clients';
import { Faults } from './faults';
import type { History } from './history';
import type { Receivers } from './receivers';
import { Rest } from './rest';
import type { NemesisStack } from './stack';
import type { Plan } from './swarm';

/** Runs a plan with accounts of its own, and returns everything that was seen from outside. */
export async function runPlan(plan: Plan, stack: NemesisStack, receivers: Receivers): Promise<History> {
  const accounts: OpenedAccount[] = [];
  for (const { balanceMicros, maxConcurrentJobs } of plan.accounts) {
    const limits = { balance_micros: balanceMicros, max_concurrent_jobs: maxConcurrentJobs };
    accounts.push(await openAccount(stack.stack, limits));
  }
  const deliveries: History['deliveries'] = [];
  receivers.begin(accounts, deliveries);
  const receiverPort = stack.links['receiver']?.port ?? 0;
  const clients = new Clients(
    stack,
    accounts,
    (creation, account) => receivers.urlOf(creation, account, receiverPort),
    await drawImage(),
  );
  const faults = new Faults(stack);
  await Promise.all([
    ...plan.operations.map((operation) => clients.perform(operation)),
    ...plan.faults.map((fault) => faults.happen(fault)),
  ]);
  const rest = await new Rest(stack, plan, clients, accounts, deliveries).read();
  return { plan, calls: clients.calls, deliveries, rest };
}

async function drawImage(): Promise<string> {
  const background = { r: 90, g: 140, b: 200 };
  const image = await sharp({ create: { width: 128, height: 128, channels: 3, background } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${image.toString('base64')}`;
}
