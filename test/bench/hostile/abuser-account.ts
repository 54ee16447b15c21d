import { connectBus } from '../../../libs/bus/src';
import { billingAdminRpc } from '../../../libs/contracts/src/billing/billing-admin.rpc';

/** What an operator may well grant: enough for ten requests a second, a hundred jobs at once, and all of them paid. */
const ACCOUNT = { name: 'abuser', balance_micros: 1_000_000_000, rate_limit_rpm: 600, max_concurrent_jobs: 100 };

/** @returns the one valid key that is abused. */
export async function openAbuserKey(natsUrl: string): Promise<string> {
  const { bus, close } = await connectBus(natsUrl, 'bench');
  try {
    return (await bus.request(billingAdminRpc.createAccount, ACCOUNT)).api_key;
  } finally {
    await close();
  }
}
