import { createHash } from 'node:crypto';
import { ownMoneyRpc } from '@kinora/contracts/billing/own-money.rpc';
import { monthAfter } from '@kinora/database';
import { onBus } from '../support/operator';
import type { RestingMonth } from './history';
import type { NemesisStack } from './stack';
import type { Plan } from './swarm';

/** The statements of all months that a run has made of its time, as the console of a customer shows them, oldest first. */
export async function readMonths(stack: NemesisStack, { faults }: Plan, apiKey: string): Promise<RestingMonth[]> {
  const key_sha256 = createHash('sha256').update(apiKey).digest('hex');
  const back = 2 * faults.filter(({ group }) => group === 'ledger').length;
  const now = new Date();
  // The first one is that before the run.
  const months = Array.from({ length: back + 2 }, (_, place) => monthAfter(now, place - back - 1));
  const read = await onBus(stack.stack, (bus) =>
    Promise.all(
      months.map((month) => bus.request(ownMoneyRpc.showMonth, { key_sha256, month: month.toISOString().slice(0, 7) })),
    ),
  );
  return read.map(({ opening_micros, closing_micros, charged_micros, reserved_micros }) => ({
    openingMicros: opening_micros,
    closingMicros: closing_micros,
    chargedMicros: charged_micros,
    reservedMicros: reserved_micros,
  }));
}
