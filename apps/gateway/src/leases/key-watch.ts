import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { AdmissionLeases } from './admission-leases';

/** Finds a key that has expired, or whose signal was lost, within this time. */
const CHECK_EVERY_MS = 15_000;
/** Signals come more often than keys change: each request to an empty bucket may recall the leases of its account. */
const PAUSE_MS = 250;

interface WatchedKey {
  accountId: string;
  /** Called when the key is not valid any more. */
  watchers: Set<() => void>;
  /** `running` also during the pause after a check. `again`: the key may have changed after the check has read it. */
  check: 'none' | 'running' | 'again';
}

/** Ends what is open under an API key, such as an event stream, once the key is revoked, expired or rotated. */
@Injectable()
export class KeyWatch implements BeforeApplicationShutdown {
  /** By the hash of the key. */
  private readonly watched = new Map<string, WatchedKey>();
  /** Not started by a request: a timer runs in the call that has started it, whose deadline passes. */
  private readonly timer = setInterval(() => this.checkAll(), CHECK_EVERY_MS).unref();

  constructor(private readonly leases: AdmissionLeases) {}

  /** Returns the function that ends the watch. */
  add(keySha256: string, accountId: string, onInvalid: () => void): () => void {
    const key = this.watched.get(keySha256) ?? { accountId, watchers: new Set(), check: 'none' };
    this.watched.set(keySha256, key);
    key.watchers.add(onInvalid);
    return () => {
      key.watchers.delete(onInvalid);
      if (key.watchers.size === 0 && this.watched.get(keySha256) === key) this.watched.delete(keySha256);
    };
  }

  /** Checks the keys of an account, because one of them may have changed. Its leases must be given up before. */
  recheck(accountId: string): void {
    for (const [keySha256, key] of this.watched) if (key.accountId === accountId) void this.check(keySha256, key);
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private checkAll(): void {
    for (const [keySha256, key] of this.watched) void this.check(keySha256, key);
  }

  /** One check of a key at a time and four a second, however many signals arrive. */
  private async check(keySha256: string, key: WatchedKey): Promise<void> {
    if (key.check !== 'none') {
      key.check = 'again';
      return;
    }
    do {
      key.check = 'running';
      if (!(await this.isValid(keySha256))) for (const onInvalid of [...key.watchers]) onInvalid();
      await delay(PAUSE_MS, undefined, { ref: false });
    } while ((key.check as WatchedKey['check']) === 'again' && key.watchers.size > 0);
    key.check = 'none';
  }

  /** A key that billing cannot check now counts as valid: the next check repeats this one. */
  private isValid(keySha256: string): Promise<boolean> {
    return this.leases.admit(keySha256, 0).then(
      () => true,
      (error: unknown) => !(error instanceof ApiError && error.code === 'invalid_api_key'),
    );
  }
}
