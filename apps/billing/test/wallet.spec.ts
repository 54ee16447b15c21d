import { statement } from '@kinora/database';
import fc from 'fast-check';
import { useBilling } from './billing.fixtures';
import { VerifyLedger } from '../src/use-cases/verify-ledger.use-case';
import { MAX_JOBS, type Move, MoveCommand, MovedAccount, anyMove, openModel } from './wallet-moves.fixtures';

const billing = useBilling({}, { now: '2026-11-14T12:00:00Z' });

const RUNS = 30;
const DEADLOCKS = statement(
  'spec_deadlocks',
  'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()',
);
const start = fc.record({ available: fc.nat(100), keyBudget: fc.integer({ min: 1, max: 60 }) });

/** A failed run prints its seed and path, which reproduce it. */
describe('wallet', () => {
  const open = async (settings: { available: number; keyBudget: number }) => {
    const model = openModel({ ...settings, maxJobs: MAX_JOBS });
    return { model, real: await MovedAccount.open(billing, model) };
  };
  const violations = async () => (await billing.get(VerifyLedger).execute()).violations;

  it('matches the model for every sequence of moves, also when connections are terminated in between', async () => {
    const commands = fc.commands([anyMove.map((move) => new MoveCommand(move))], { maxCommands: 40 });
    const property = fc.asyncProperty(start, commands, async (settings, sequence) => {
      await fc.asyncModelRun(() => open(settings), sequence);
      expect(await violations()).toEqual([]);
    });
    await fc.assert(property, { numRuns: RUNS });
  }, 120_000);

  it('keeps every ledger rule for concurrent moves, each sent twice, while connections are terminated', async () => {
    const moves = fc.array(anyMove, { minLength: 5, maxLength: 40 });
    const property = fc.asyncProperty(start, moves, fc.scheduler(), async (settings, once, scheduler) => {
      const { real } = await open(settings);
      const outcomes: [Move, string][] = [];
      // The scheduler chooses the order in which the moves start; PostgreSQL the order in which they run.
      const made = [...once, ...once].map(async (move) => {
        await scheduler.schedule(Promise.resolve(), JSON.stringify(move));
        outcomes.push([move, await real.make(move)]);
      });
      await scheduler.waitFor(Promise.all(made));
      await real.recover();
      expect(await violations()).toEqual([]);
      expectOneEndEach(outcomes);
    });
    await fc.assert(property, { numRuns: RUNS });
    // A connection reports at its end at the latest which deadlocks it met.
    const { real } = await open({ available: 0, keyBudget: 1 });
    await real.make({ kind: 'lose_connections' });
    await real.recover();
    expect(await billing.database.findOne(DEADLOCKS)).toEqual({ deadlocks: 0 });
  }, 120_000);
});

/** All callers that receive the end of a hold receive the same one. */
function expectOneEndEach(outcomes: [Move, string][]): void {
  const ends = new Map<number, Set<string>>();
  for (const [move, outcome] of outcomes) {
    if (move.kind !== 'capture' && move.kind !== 'refund') continue;
    if (outcome === 'captured' || outcome === 'refunded')
      ends.set(move.job, (ends.get(move.job) ?? new Set()).add(outcome));
  }
  expect([...ends.values()].filter(({ size }) => size > 1)).toEqual([]);
}
