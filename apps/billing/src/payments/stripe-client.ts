import type { Micros } from '@kinora/contracts/shared/money';
import Stripe from 'stripe';

const CALL_TIMEOUT_MS = 20_000;
/** Stripe amounts are in cents. */
const MICROS_PER_CENT = 10_000;

export interface StripeAccess {
  secretKey: string;
  url: string;
}

export function createStripe({ secretKey, url }: StripeAccess): Stripe {
  const { protocol, hostname, port } = new URL(url);
  return new Stripe(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    timeout: CALL_TIMEOUT_MS,
    // A lost response is resolved by a later poll, not by a retry here.
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

export function toCents(amountMicros: Micros): number {
  return amountMicros / MICROS_PER_CENT;
}

export function fromCents(cents: number): Micros {
  return cents * MICROS_PER_CENT;
}

/** Stripe's error code, never its message, which may contain arbitrary text. */
export function reasonOf(error: { code?: string | undefined; decline_code?: string | undefined }): string {
  return error.decline_code ?? error.code ?? 'refused';
}

export function idOf(object: string | { id: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null);
}
