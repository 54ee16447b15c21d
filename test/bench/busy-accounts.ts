import { connectBus } from '../../libs/bus/src';
import { billingAdminRpc } from '../../libs/contracts/src/billing/billing-admin.rpc';

/** A balance larger than any benchmark can spend. */
const PLENTY_MICROS = 1_000_000_000_000;

/** Creates accounts whose limits never apply. @returns an API key of each */
export async function createBusyAccounts(
  natsUrl: string,
  count: number,
  balanceMicros = PLENTY_MICROS,
): Promise<string[]> {
  const { bus, close } = await connectBus(natsUrl, 'bench');
  const limits = { rate_limit_rpm: 100_000_000, max_concurrent_jobs: 10_000_000 };
  const account = { name: 'bench', balance_micros: balanceMicros, ...limits };
  try {
    const created = await Promise.all(
      Array.from({ length: count }, () => bus.request(billingAdminRpc.createAccount, account)),
    );
    return created.map(({ api_key }) => api_key);
  } finally {
    await close();
  }
}
