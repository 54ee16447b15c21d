import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';

/** Finds a key that has expired, or whose signal was lost, within this time. */
const CHECK_EVERY_MS = 15_000;
/** Signals come more often than keys change: each request to an empty bucket may recall the leases of its account. */
const PAUSE_MS = 250;
/** The most that billing checks with one request. */
const KEYS_OF_A_REQUEST = 1_000;

interface WatchedKey {
  accountId: string;
  /** Called when the key is not valid any more. */
  watchers: Set<() => void>;
}

/** Ends what is open under an API key, such as an event stream, once the key is revoked, expired or rotated. */
@Injectable()
export class KeyWatch implements BeforeApplicationShutdown {
  /** By the hash of the key. */
  private readonly watched = new Map<string, WatchedKey>();
  /** Accounts with a signal since the last check of their keys. */
  private readonly signaled = new Set<string>();
  private isCheckingSignaled = false;
  private isCheckingAll = false;
  /** Not started by a request: a timer runs in the call that has started it, whose deadline passes. */
  private readonly timer = setInterval(() => void this.checkAll(), CHECK_EVERY_MS).unref();

  constructor(private readonly bus: Bus) {}

  add(keySha256: string, accountId: string, onInvalid: () => void): () => void {
    const key = this.watched.get(keySha256) ?? { accountId, watchers: new Set() };
    this.watched.set(keySha256, key);
    key.watchers.add(onInvalid);
    return () => {
      key.watchers.delete(onInvalid);
      if (key.watchers.size === 0 && this.watched.get(keySha256) === key) this.watched.delete(keySha256);
    };
  }

  /** Checks the keys of an account, because one of them may have changed. */
  recheck(accountId: string): void {
    this.signaled.add(accountId);
    void this.checkSignaled();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Four checks a second at most, however many signals arrive. A signal during a check causes another one. */
  private async checkSignaled(): Promise<void> {
    if (this.isCheckingSignaled) return;
    this.isCheckingSignaled = true;
    while (this.signaled.size > 0) {
      const due = [...this.watched].filter(([, { accountId }]) => this.signaled.has(accountId));
      this.signaled.clear();
      await this.check(due.map(([keySha256]) => keySha256));
      await delay(PAUSE_MS, undefined, { ref: false });
    }
    this.isCheckingSignaled = false;
  }

  /** A check that takes longer than the interval is not doubled by the next one. */
  private async checkAll(): Promise<void> {
    if (this.isCheckingAll) return;
    this.isCheckingAll = true;
    await this.check([...this.watched.keys()]);
    this.isCheckingAll = false;
  }

  private async check(keySha256s: string[]): Promise<void> {
    for (let first = 0; first < keySha256s.length; first += KEYS_OF_A_REQUEST) {
      const invalid = await this.findInvalid(keySha256s.slice(first, first + KEYS_OF_A_REQUEST));
      const watchers = invalid.flatMap((keySha256) => [...(this.watched.get(keySha256)?.watchers ?? [])]);
      for (const onInvalid of watchers) onInvalid();
    }
  }

  /** Keys that billing cannot check now count as valid: the next check repeats this one. */
  private async findInvalid(keySha256s: string[]): Promise<string[]> {
    const answer = await this.bus.request(billingRpc.findInvalidKeys, { key_sha256s: keySha256s }).catch(() => null);
    return answer?.key_sha256s ?? [];
  }
}
