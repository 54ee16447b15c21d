import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { waitFor } from '@kinora/testing';
import { useGateway } from '../../test/gateway.fixtures';
import { fail } from '../../test/contexts.fixtures';
import { KeyWatchTestBed } from '../../test/key-watch.fixtures';
import { KeyWatch } from './key-watch';

const testBed = useGateway({}, new KeyWatchTestBed());
const { contexts } = testBed;
const KEYS = 2_001;

describe('the check of thousands of keys', () => {
  const account = crypto.randomUUID();
  let watch: KeyWatch;
  let ended: number[];

  beforeEach(() => {
    watch = new KeyWatch(testBed.bus);
    ended = [];
    for (let key = 0; key < KEYS; key += 1) watch.add(hashOf(key), account, () => ended.push(key));
  });
  afterEach(() => watch.beforeApplicationShutdown());

  it.each([
    ['regular', () => testBed.checkAll()],
    ['signaled', () => watch.recheck(account)],
  ])('ends the invalid ones of every request of a %s check, and no other', async (_name, check) => {
    const invalid = [0, 999, 1_000, 1_999, 2_000];
    const hashes = invalid.map(hashOf);
    contexts.on(billingRpc.findInvalidKeys, ({ key_sha256s }) => ({
      key_sha256s: key_sha256s.filter((key) => hashes.includes(key)),
    }));
    check();
    await waitFor(() => ended.length >= invalid.length);
    expect(ended).toEqual(invalid);
    expect(contexts.of(billingRpc.findInvalidKeys).map(({ key_sha256s }) => key_sha256s.length)).toEqual([
      1_000, 1_000, 1,
    ]);
  });

  it('goes on behind keys that billing cannot check now', async () => {
    contexts.on(billingRpc.findInvalidKeys, (request) =>
      request.key_sha256s.length === 1 ? request : fail('capacity', 'away')(),
    );
    testBed.checkAll();
    await waitFor(() => ended.length > 0);
    expect(ended).toEqual([2_000]);
  });

  it('is not made again while it runs', async () => {
    let answer: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (answer = resolve));
    contexts.on(billingRpc.findInvalidKeys, async (request) => {
      await gate;
      return request;
    });
    testBed.checkAll();
    await waitFor(() => testBed.checks === 1);
    testBed.checkAll();
    answer();
    await waitFor(() => ended.length === KEYS);
    await testBed.bus.pingBroker();
    expect(testBed.checks).toBe(3);
  });
});

function hashOf(key: number): string {
  return key.toString(16).padStart(64, '0');
}
