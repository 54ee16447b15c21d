import type { Bus } from '@kinora/bus';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { catalogAdminRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { appealsAdminRpc } from '@kinora/contracts/moderation/appeals.rpc';
import { moderationAdminRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { onBus } from '../support/operator';
import { PRICE_STEPS, TOP_UP_MICROS } from './history';
import type { NemesisStack } from './stack';
import type { Operation } from './swarm';

/** The factor of the price list, in basis points, that one step of an amount stands for. */
const STEP_BASIS_POINTS = 10_000 / PRICE_STEPS;

type Command = (bus: Bus, accountId: string, operation: Operation, priceGroup: string) => Promise<unknown>;

/** What operators do to an account by their commands. Each is idempotent, as its repeat after a lost answer needs. */
export const COMMANDS = {
  top_up: (bus, account_id, { id, amount }) =>
    bus.request(billingAdminRpc.topUp, {
      account_id,
      amount_micros: amount * TOP_UP_MICROS,
      reference: `top-up-${id}`,
    }),
  limits: (bus, account_id, { amount }) =>
    bus.request(billingAdminRpc.setLimits, { account_id, max_concurrent_jobs: amount }),
  price: (bus, _account, { amount }, price_group) =>
    bus.request(catalogAdminRpc.setPriceFactor, { price_group, factor_basis_points: amount * STEP_BASIS_POINTS }),
  lift: async (bus, account_id) => {
    const reason = 'Seen by a person.';
    const { data: appeals } = await bus.request(appealsAdminRpc.list, { limit: 1_000 });
    for (const { appeal_id } of appeals.filter((appeal) => appeal.account_id === account_id))
      await bus.request(appealsAdminRpc.decide, { appeal_id, status: 'lifted', reason });
    const { data: strikes } = await bus.request(moderationAdminRpc.listStrikes, { account_id, limit: 1_000 });
    for (const { strike_id } of strikes.filter(({ lifted_at }) => lifted_at === null))
      await bus.request(moderationAdminRpc.liftStrike, { strike_id, reason });
  },
} satisfies Record<string, Command>;

export async function command(
  stack: NemesisStack,
  accountId: string,
  priceGroup: string,
  operation: Operation,
): Promise<{ status: number }> {
  const run: Command = COMMANDS[operation.kind as keyof typeof COMMANDS];
  await onBus(stack.stack, (bus) => run(bus, accountId, operation, priceGroup));
  return { status: 200 };
}
