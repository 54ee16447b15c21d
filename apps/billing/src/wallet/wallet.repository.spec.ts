import type { AccountDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { type TestBilling, openBilling, storm } from '../billing.fixtures';
import { Capture } from '../use-cases/capture/capture.use-case';
import { CreateAccount } from '../use-cases/create-account/create-account.use-case';
import { Refund } from '../use-cases/refund/refund.use-case';
import { Reserve } from '../use-cases/reserve/reserve.use-case';
import { ShowAccount } from '../use-cases/show-account/show-account.use-case';
import { TopUp } from '../use-cases/top-up/top-up.use-case';
import { VerifyLedger } from '../use-cases/verify-ledger/verify-ledger.use-case';
import { type Move, type WalletModel, inFlight, makeMove } from './wallet-model.fixtures';

const MAX_JOBS = 3;
const JOBS = 6;

/** Few jobs and small amounts, so that moves meet: repeated, out of order, beyond the balance, beyond the slots. */
const job = fc.nat(JOBS - 1);
const anyMove: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('reserve' as const), job, amount: fc.nat(40) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('capture' as const), job }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), job }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('top_up' as const), amount: fc.integer({ min: 1, max: 40 }) }),
  },
);
const anyMoves = fc.array(anyMove, { minLength: 5, maxLength: 40 });

describe('wallet', () => {
  let billing: TestBilling;

  beforeAll(async () => {
    billing = await openBilling();
  });
  afterAll(() => billing.close());

  /** A new account, and a way to move its money. */
  async function open(balance: number) {
    const settings = { name: 'test', balance_micros: balance, max_concurrent_jobs: MAX_JOBS };
    const { account_id } = await billing.get(CreateAccount).execute(settings);
    const jobIds = Array.from({ length: JOBS }, () => uuidv7());
    const perform = async (move: Move): Promise<string> => {
      if (move.kind === 'top_up') {
        await billing.get(TopUp).execute({ account_id, amount_micros: move.amount });
        return 'ok';
      }
      const job_id = jobIds[move.job] as string;
      if (move.kind === 'capture') return (await billing.get(Capture).execute({ job_id })).state;
      if (move.kind === 'refund') return (await billing.get(Refund).execute({ job_id })).state;
      const reservation = await billing.get(Reserve).execute({ account_id, job_id, amount_micros: move.amount });
      return `holds ${reservation.amount_micros}`;
    };
    const show = (): Promise<AccountDetails> => billing.get(ShowAccount).execute({ account_id });
    return { perform, show };
  }

  it('does with every sequence of moves what a person would compute', async () => {
    const property = fc.asyncProperty(fc.nat(100), anyMoves, async (balance, moves) => {
      const account = await open(balance);
      const model: WalletModel = { available: balance, held: 0, spent: 0, jobs: new Map() };
      for (const move of moves) {
        const outcome = await account.perform(move).catch((error: { code?: string }) => error.code);
        expect(outcome).toBe(makeMove(model, MAX_JOBS, move));
      }
      expect(await account.show()).toMatchObject({
        balance_micros: model.available,
        held_micros: model.held,
        spent_micros: model.spent,
        in_flight_jobs: inFlight(model),
      });
      expect(await billing.get(VerifyLedger).execute()).toMatchObject({ violations: [] });
    });
    await fc.assert(property, { numRuns: 40 });
  }, 60_000);

  it('keeps every rule of the ledger when the moves come all at once', async () => {
    const property = fc.asyncProperty(fc.nat(100), anyMoves, async (balance, moves) => {
      const account = await open(balance);
      await storm(2 * moves.length, (index) => account.perform(moves[index % moves.length] as Move));
      expect(await billing.get(VerifyLedger).execute()).toMatchObject({ violations: [] });
      expect((await account.show()).in_flight_jobs).toBeLessThanOrEqual(MAX_JOBS);
    });
    await fc.assert(property, { numRuns: 40 });
  }, 60_000);
});
