import { statement } from '@kinora/database';
import { waitFor } from '@kinora/testing';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import type { TestBilling } from './billing.fixtures';
import { AdjustBalance, TopUp } from '../src/use-cases/change-balance.use-case';
import { ListRecords } from '../src/use-cases/list-records.query';

/** A simple model of a wallet, which the repositories' statements must match. */
interface WalletModel {
  available: number;
  held: number;
  spent: number;
  maxJobs: number;
  keyBudget: number;
  jobs: Map<number, ModelJob>;
}

interface ModelJob {
  state: 'held' | 'captured' | 'refunded' | 'none';
  amount: number;
  isOfCappedKey: boolean;
}

export type Move =
  | { kind: 'top_up'; amount: number }
  | { kind: 'adjust'; amount: number }
  | { kind: 'set_limit'; maxJobs: number }
  | { kind: 'reserve'; job: number; amount: number; byCappedKey: boolean }
  | { kind: 'capture'; job: number }
  | { kind: 'refund'; job: number }
  | { kind: 'lose_connections' };

export function openModel(settings: Pick<WalletModel, 'available' | 'maxJobs' | 'keyBudget'>): WalletModel {
  return { ...settings, held: 0, spent: 0, jobs: new Map() };
}

/** Makes a move and returns its outcome. */
function makeMove(wallet: WalletModel, move: Move): string {
  switch (move.kind) {
    case 'top_up':
      wallet.available += move.amount;
      return 'ok';
    case 'adjust':
      if (move.amount === 0 || wallet.available + move.amount < 0) return 'invalid_body';
      wallet.available += move.amount;
      return 'ok';
    case 'set_limit':
      wallet.maxJobs = move.maxJobs;
      return 'ok';
    case 'reserve':
      return reserve(wallet, move);
    case 'capture':
    case 'refund':
      return end(wallet, move.kind, move.job);
    case 'lose_connections':
      return 'ok';
  }
}

export function inFlight({ jobs }: WalletModel): number {
  return [...jobs.values()].filter(({ state }) => state === 'held').length;
}

function reserve(wallet: WalletModel, { job, amount, byCappedKey }: Move & { kind: 'reserve' }): string {
  const known = wallet.jobs.get(job);
  if (known) return known.state === 'held' ? `holds ${known.amount}` : 'capacity';
  if (wallet.available < amount) return 'insufficient_balance';
  if (byCappedKey && wallet.keyBudget < amount) return 'key_budget_exceeded';
  if (inFlight(wallet) >= wallet.maxJobs) return 'concurrency_limit';
  wallet.available -= amount;
  wallet.held += amount;
  if (byCappedKey) wallet.keyBudget -= amount;
  wallet.jobs.set(job, { state: 'held', amount, isOfCappedKey: byCappedKey });
  return `holds ${amount}`;
}

function end(wallet: WalletModel, kind: 'capture' | 'refund', job: number): string {
  const known = wallet.jobs.get(job);
  if (!known) {
    if (kind === 'refund') wallet.jobs.set(job, { state: 'none', amount: 0, isOfCappedKey: false });
    return 'none';
  }
  if (known.state === 'held') {
    known.state = kind === 'capture' ? 'captured' : 'refunded';
    wallet.held -= known.amount;
    if (kind === 'capture') wallet.spent += known.amount;
    else giveBack(wallet, known);
  }
  return known.state;
}

function giveBack(wallet: WalletModel, { amount, isOfCappedKey }: ModelJob): void {
  wallet.available += amount;
  if (isOfCappedKey) wallet.keyBudget += amount;
}

const JOBS = 6;
export const MAX_JOBS = 3;

/** All at once: with a timeout, the server would wait 100 ms for each connection before it terminates the next one. */
const TERMINATE_OTHERS = statement(
  'spec_terminate_others',
  `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'billing'`,
);
const ARE_RUNNING = statement('spec_are_running', 'SELECT FROM pg_stat_activity WHERE pid = ANY ($1::integer[])');

/** Few jobs and small amounts, so that moves conflict: repeated, out of order, beyond the balance, beyond the slots. */
const job = fc.nat(JOBS - 1);
const weighted = (weight: number, arbitrary: fc.Arbitrary<Move>) => ({ weight, arbitrary });
export const anyMove: fc.Arbitrary<Move> = fc.oneof(
  weighted(4, fc.record({ kind: fc.constant('reserve'), job, amount: fc.nat(40), byCappedKey: fc.boolean() })),
  weighted(2, fc.record({ kind: fc.constant('capture'), job })),
  weighted(2, fc.record({ kind: fc.constant('refund'), job })),
  weighted(1, fc.record({ kind: fc.constant('top_up'), amount: fc.integer({ min: 1, max: 40 }) })),
  weighted(1, fc.record({ kind: fc.constant('adjust'), amount: fc.integer({ min: -40, max: 40 }) })),
  weighted(1, fc.record({ kind: fc.constant('set_limit'), maxJobs: fc.integer({ min: 1, max: MAX_JOBS }) })),
  weighted(1, fc.constant<Move>({ kind: 'lose_connections' })),
);

/** A real account with a capped key, to which moves are applied. */
export class MovedAccount {
  private readonly jobIds = Array.from({ length: JOBS }, () => uuidv7());

  private constructor(
    private readonly billing: TestBilling,
    private readonly accountId: string,
    private readonly cappedKeyId: string,
  ) {}

  static async open(billing: TestBilling, { available, keyBudget }: WalletModel): Promise<MovedAccount> {
    const settings = { name: 'test', balance_micros: available, max_concurrent_jobs: MAX_JOBS };
    const { account_id } = await billing.createAccount(settings);
    const cap = { account_id, name: 'capped', cap_micros: keyBudget, cap_period: 'month' } as const;
    return new MovedAccount(billing, account_id, (await billing.createKey(cap)).api_key_id);
  }

  /** Makes a move and returns its outcome in the form of the model. */
  async make(move: Move): Promise<string> {
    return await this.perform(move).catch((error: Error & { code?: string }) => error.code ?? String(error));
  }

  async readState() {
    const account = await this.billing.show(this.accountId);
    const { data } = await this.billing.get(ListRecords).listKeys({ account_id: this.accountId });
    const capped = data.find(({ api_key_id }) => api_key_id === this.cappedKeyId);
    return {
      available: account.balance_micros,
      held: account.held_micros,
      spent: account.spent_micros,
      inFlight: account.in_flight_jobs,
      maxJobs: account.max_concurrent_jobs,
      keyBudget: (capped?.cap_micros ?? 0) - (capped?.spent_in_period_micros ?? 0),
    };
  }

  /**
   * Waits until a read succeeds: a terminated connection fails at its next use at the latest, and that must not be the
   * next move.
   */
  async recover(): Promise<void> {
    await waitFor(() => this.readState().catch(() => null));
  }

  private async perform(move: Move): Promise<string> {
    const account_id = this.accountId;
    switch (move.kind) {
      case 'top_up':
        await this.billing.get(TopUp).execute({ account_id, amount_micros: move.amount });
        return 'ok';
      case 'adjust':
        await this.billing.get(AdjustBalance).execute({ account_id, amount_micros: move.amount, reason: 'a mistake' });
        return 'ok';
      case 'set_limit':
        await this.billing.setLimits({ account_id, max_concurrent_jobs: move.maxJobs });
        return 'ok';
      case 'reserve':
        return await this.reserve(move);
      case 'capture':
        return (await this.billing.capture(this.jobIds[move.job] as string)).state;
      case 'refund':
        return (await this.billing.refund(this.jobIds[move.job] as string)).state;
      case 'lose_connections':
        await this.terminateConnections();
        return 'ok';
    }
  }

  /** Returns when they have ended, so that the next move finds them broken. */
  private async terminateConnections(): Promise<void> {
    const { database } = this.billing;
    const pids = (await database.query<{ pid: number }>(TERMINATE_OTHERS)).map(({ pid }) => pid);
    await waitFor(async () => (await database.findOne(ARE_RUNNING, [pids])) === null);
  }

  private async reserve({ job: index, amount, byCappedKey }: Move & { kind: 'reserve' }): Promise<string> {
    const reserveRequest = { account_id: this.accountId, job_id: this.jobIds[index] as string, amount_micros: amount };
    const request = byCappedKey ? { ...reserveRequest, api_key_id: this.cappedKeyId } : reserveRequest;
    return `holds ${(await this.billing.reserve(request)).amount_micros}`;
  }
}

/** Applies one move to the model and to billing, and compares the outcomes. */
export class MoveCommand implements fc.AsyncCommand<WalletModel, MovedAccount> {
  constructor(private readonly move: Move) {}

  check(): boolean {
    return true;
  }

  async run(model: WalletModel, account: MovedAccount): Promise<void> {
    expect(await account.make(this.move)).toBe(makeMove(model, this.move));
    if (this.move.kind === 'lose_connections') await account.recover();
    const { available, held, spent, maxJobs, keyBudget } = model;
    expect(await account.readState()).toEqual({
      available,
      held,
      spent,
      maxJobs,
      keyBudget,
      inFlight: inFlight(model),
    });
  }

  toString(): string {
    return JSON.stringify(this.move);
  }
}
