import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { GatewayConfig, LARGEST_BODY_BYTES } from '../gateway.config';
import { BodyShare } from './body-share';
import { heldBodyBytes } from './http.metrics';

/** The largest body that is charged to the share of small ones: hardly a generation is longer. */
const SMALL_BODY_BYTES = 128 * 1024;
/** Notifications of backends are small; one that repeats the images of its request is refused, and its work found by a poll. */
export const CALLBACK_BODY_BYTES = 1024 * 1024;

/** Who sends a body; one without an account is known by what permits the request. */
export interface BodySender {
  accountId?: string;
  permission?: string;
}

/** What one request holds of the budget: as many bytes as have arrived, until it is over. */
export interface BodyRoom {
  /** Charges bytes that have arrived. @throws ApiError capacity */
  charge(bytes: number): void;
  /** Gives everything back, once however often it is called; what arrives later has no room. */
  release(): void;
}

/**
 * Bounds the bytes of all bodies that are being received or worked on, so that they cannot exhaust the process. Bodies of
 * accounts up to 128 KiB, larger ones, and callbacks have a share each, so that none of the three can shut out another.
 * A body that does not fit is refused, and never waits: two that waited half received would wait for each other.
 */
@Injectable()
export class BodyBudget {
  private readonly small: BodyShare;
  private readonly large: BodyShare;
  private readonly callbacks: BodyShare;

  constructor({ bodiesMaxBytes }: GatewayConfig) {
    const [smallBytes, callbackBytes] = [bodiesMaxBytes / 8, bodiesMaxBytes / 16];
    this.small = new BodyShare(smallBytes, SMALL_BODY_BYTES);
    this.callbacks = new BodyShare(callbackBytes, CALLBACK_BODY_BYTES);
    this.large = new BodyShare(bodiesMaxBytes - smallBytes - callbackBytes, LARGEST_BODY_BYTES);
    heldBodyBytes.readBy({}, () => this.small.heldBytes + this.large.heldBytes + this.callbacks.heldBytes);
  }

  /**
   * Opens room for a body whose first byte has yet to arrive. A declared length takes none, but where it does not fit now, the body
   * is refused before it is sent.
   * @throws ApiError capacity
   */
  open({ accountId, permission = '' }: BodySender, declaredBytes = 0): BodyRoom {
    const shareFor = (bytes: number): BodyShare => {
      if (accountId === undefined) return this.callbacks;
      return Math.max(bytes, declaredBytes) > SMALL_BODY_BYTES ? this.large : this.small;
    };
    const holder = accountId ?? permission;
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
    // Of a client that has left: whatever is charged now would never be given back.
    if (this.isReleased) throw noRoom();
    const total = this.bytes + bytes;
    // A body without a declared length turns out to be large only when it has outgrown the share of small ones.
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
