import { Injectable } from '@nestjs/common';
import type { ChangedJobs } from '@kinora/contracts/jobs/jobs.events';

/** The accounts whose feeds this process streams. Signals of jobs tell which of them have new events. */
@Injectable()
export class AccountWatch {
  private readonly watched = new Map<string, Set<() => void>>();

  /** Returns the function that ends the watch. */
  add(accountId: string, onEvent: () => void): () => void {
    const watchers = this.watched.get(accountId) ?? new Set();
    this.watched.set(accountId, watchers.add(onEvent));
    return () => {
      watchers.delete(onEvent);
      if (watchers.size === 0 && this.watched.get(accountId) === watchers) this.watched.delete(accountId);
    };
  }

  report({ ended_accounts: accountIds }: ChangedJobs): void {
    for (const accountId of accountIds) for (const onEvent of [...(this.watched.get(accountId) ?? [])]) onEvent();
  }
}
