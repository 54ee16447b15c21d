import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../http/api-keys';
import { newRequestId } from '../http/request-id';

/** A key that expires gives no signal, and the signal of a revoked one may be lost. */
const CHECK_EVERY_MS = 15_000;
/** Signals of an account come several times a second while its bucket is empty; one check serves them all. */
const SIGNALED_CHECK_MS = 100;

interface WatchedKey {
  accountId: string;
  /** Ends the streams that were opened with the key. */
  ends: Set<() => void>;
}

/** Ends the open streams of a key that was revoked or has expired: a key is otherwise only checked when a stream opens. */
@Injectable()
export class StreamKeys {
  /** By the hash of the key. */
  private readonly watched = new Map<string, WatchedKey>();
  private readonly signaled = new Set<string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly keys: ApiKeys) {}

  /** Returns the function that ends the watch. */
  watch({ keySha256, accountId }: { keySha256: string; accountId: string }, end: () => void): () => void {
    const key = this.watched.get(keySha256) ?? { accountId, ends: new Set() };
    this.watched.set(keySha256, key);
    key.ends.add(end);
    this.timer ??= setInterval(() => void this.check(() => true), CHECK_EVERY_MS).unref();
    return () => {
      key.ends.delete(end);
      if (key.ends.size === 0 && this.watched.get(keySha256) === key) this.watched.delete(keySha256);
      if (this.watched.size === 0) this.rest();
    };
  }

  /** Called when a key of the account may have changed. */
  recheck(accountId: string): void {
    if (this.signaled.has(accountId)) return;
    this.signaled.add(accountId);
    setTimeout(() => {
      this.signaled.delete(accountId);
      void this.check((key) => key.accountId === accountId);
    }, SIGNALED_CHECK_MS).unref();
  }

  private async check(isDue: (key: WatchedKey) => boolean): Promise<void> {
    const due = [...this.watched].filter(([, key]) => isDue(key));
    await Promise.all(due.map(([keySha256, key]) => this.endUnlessValid(keySha256, key)));
  }

  /** A key that cannot be checked now keeps its streams until the next check. */
  private async endUnlessValid(keySha256: string, { ends }: WatchedKey): Promise<void> {
    const admission = await this.keys.find(keySha256, { requestId: newRequestId(), tokens: 0 }).catch(() => undefined);
    if (admission === null) for (const end of [...ends]) end();
  }

  private rest(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }
}
