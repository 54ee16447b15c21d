/** A simple model of a wallet, which the repositories' statements must match. */
export interface WalletModel {
  available: number;
  held: number;
  spent: number;
  maxJobs: number;
  /** The remaining budget of the capped key. */
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
export function makeMove(wallet: WalletModel, move: Move): string {
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
