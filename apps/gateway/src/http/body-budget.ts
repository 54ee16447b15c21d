import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { CHECKED_FILE_MAX_BYTES } from '../body-limits';
import { GatewayConfig, LARGEST_BODY_BYTES } from '../gateway.config';
import { heldBodyBytes } from './http.metrics';

/** A share of the body budget. One holder gets at most half of it, so that no holder can starve the others. */
class BodyShare {
  private readonly maxBytes: number;
  private readonly holderMaxBytes: number;
  private readonly heldByHolder = new Map<string, number>();
  private held = 0;

  /** The share and the limit per holder are raised to the largest legal body, so that one such body always fits. */
  constructor(maxBytes: number, largestBodyBytes: number) {
    this.maxBytes = Math.max(maxBytes, largestBodyBytes);
    this.holderMaxBytes = Math.max(this.maxBytes / 2, largestBodyBytes);
  }

  get heldBytes(): number {
    return this.held;
  }

  fits(holder: string, bytes: number): boolean {
    return this.held + bytes <= this.maxBytes && this.heldBy(holder) + bytes <= this.holderMaxBytes;
  }

  /** Adds bytes to what the holder uses; a negative number releases them. */
  add(holder: string, bytes: number): void {
    this.held += bytes;
    const heldBytes = this.heldBy(holder) + bytes;
    if (heldBytes > 0) this.heldByHolder.set(holder, heldBytes);
    else this.heldByHolder.delete(holder);
  }

  private heldBy(holder: string): number {
    return this.heldByHolder.get(holder) ?? 0;
  }
}

/** The largest body that is charged to the share of small bodies. Almost every generation request is smaller. */
const SMALL_BODY_BYTES = 128 * 1024;
/**
 * Backend notifications are small. One that repeats the images of its request is refused, and polling then finds the
 * result.
 */
export const CALLBACK_BODY_BYTES = 1024 * 1024;

/** One video, or six images: a sender without a key waits for others, and takes nothing from accounts. */
const STRANGERS_BYTES = CHECKED_FILE_MAX_BYTES['video/mp4'];

/** The sender of a body: an account, the permission of a callback, or the address of a stranger. */
export interface BodySender {
  accountId?: string;
  permission?: string;
  address?: string;
}

/** The part of the budget that one request holds: as many bytes as have arrived, until the request ends. */
export interface BodyRoom {
  /** Charges bytes that have arrived. @throws ApiError capacity */
  charge(bytes: number): void;
  /** Releases everything; further calls do nothing. Bytes that arrive later are refused. */
  release(): void;
}

/**
 * Bounds the bytes of all bodies that are being received or processed, so that they cannot exhaust the memory of the
 * process. Bodies of accounts up to 128 KiB, larger ones, callbacks and bodies of strangers each have their own share, so that
 * no kind can starve another. A body that does not fit is refused at once. It never waits, because two half-received bodies could
 * wait for each other forever (deadlock).
 */
@Injectable()
export class BodyBudget {
  private readonly small: BodyShare;
  private readonly large: BodyShare;
  private readonly callbacks: BodyShare;
  private readonly strangers: BodyShare;

  constructor({ bodiesMaxBytes }: GatewayConfig) {
    const [smallBytes, callbackBytes] = [bodiesMaxBytes / 8, bodiesMaxBytes / 16];
    this.small = new BodyShare(smallBytes, SMALL_BODY_BYTES);
    this.callbacks = new BodyShare(callbackBytes, CALLBACK_BODY_BYTES);
    this.large = new BodyShare(bodiesMaxBytes - smallBytes - callbackBytes, LARGEST_BODY_BYTES);
    this.strangers = new BodyShare(STRANGERS_BYTES, STRANGERS_BYTES);
    const shares = [this.small, this.large, this.callbacks, this.strangers];
    heldBodyBytes.readBy({}, () => shares.reduce((sum, { heldBytes }) => sum + heldBytes, 0));
  }

  /**
   * Opens room for a body before its first byte arrives. A declared length reserves nothing. If it does not fit now, the
   * body is refused before the client sends it.
   */
  open({ accountId, permission = '', address }: BodySender, declaredBytes = 0): BodyRoom {
    const shareFor = (bytes: number): BodyShare => {
      if (address !== undefined) return this.strangers;
      if (accountId === undefined) return this.callbacks;
      return Math.max(bytes, declaredBytes) > SMALL_BODY_BYTES ? this.large : this.small;
    };
    const holder = accountId ?? address ?? permission;
    if (!shareFor(0).fits(holder, declaredBytes)) throw noRoom();
    return new ChargedRoom(holder, shareFor);
  }
}

class ChargedRoom implements BodyRoom {
  private bytes = 0;
  private share: BodyShare;
  private isReleased = false;

  constructor(
    private readonly holder: string,
    private readonly shareFor: (bytes: number) => BodyShare,
  ) {
    this.share = shareFor(0);
  }

  charge(bytes: number): void {
    // The client has disconnected and the room is released: a charge now would never be released.
    if (this.isReleased) throw noRoom();
    const total = this.bytes + bytes;
    // A body without a declared length moves to the share of large bodies when it outgrows the share of small ones.
    const share = this.shareFor(total);
    if (!share.fits(this.holder, share === this.share ? bytes : total)) throw noRoom();
    this.share.add(this.holder, -this.bytes);
    share.add(this.holder, total);
    this.share = share;
    this.bytes = total;
  }

  release(): void {
    this.share.add(this.holder, -this.bytes);
    this.bytes = 0;
    this.isReleased = true;
  }
}

function noRoom(): ApiError {
  return ApiError.unavailable('Room for another request body');
}
