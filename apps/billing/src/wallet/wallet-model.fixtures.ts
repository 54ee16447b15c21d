/** A wallet as a person would explain it: what the statements of the repository must amount to. */
export interface WalletModel {
  available: number;
  held: number;
  spent: number;
  jobs: Map<number, { state: 'held' | 'captured' | 'refunded' | 'none'; amount: number }>;
}

export type Move =
  | { kind: 'top_up'; amount: number }
  | { kind: 'reserve'; job: number; amount: number }
  | { kind: 'capture'; job: number }
  | { kind: 'refund'; job: number };

/** Makes a move, and tells how it comes out. */
export function makeMove(wallet: WalletModel, maxJobs: number, move: Move): string {
  switch (move.kind) {
    case 'top_up':
      wallet.available += move.amount;
      return 'ok';
    case 'reserve':
      return reserve(wallet, maxJobs, move.job, move.amount);
    case 'capture':
    case 'refund':
      return end(wallet, move.kind, move.job);
  }
}

export function inFlight({ jobs }: WalletModel): number {
  return [...jobs.values()].filter(({ state }) => state === 'held').length;
}

function reserve(wallet: WalletModel, maxJobs: number, job: number, amount: number): string {
  const known = wallet.jobs.get(job);
  if (known) return known.state === 'held' ? `holds ${known.amount}` : 'capacity';
  if (wallet.available < amount) return 'insufficient_balance';
  if (inFlight(wallet) >= maxJobs) return 'concurrency_limit';
  wallet.available -= amount;
  wallet.held += amount;
  wallet.jobs.set(job, { state: 'held', amount });
  return `holds ${amount}`;
}

function end(wallet: WalletModel, kind: 'capture' | 'refund', job: number): string {
  const known = wallet.jobs.get(job);
  if (!known) {
    if (kind === 'refund') wallet.jobs.set(job, { state: 'none', amount: 0 });
    return 'none';
  }
  if (known.state === 'held') {
    known.state = kind === 'capture' ? 'captured' : 'refunded';
    wallet.held -= known.amount;
    if (kind === 'capture') wallet.spent += known.amount;
    else wallet.available += known.amount;
  }
  return known.state;
}
