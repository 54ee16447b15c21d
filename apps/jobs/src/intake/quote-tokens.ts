import { type KeyObject, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Operation } from '@kinora/contracts/catalog/catalog.rpc';
import { QUOTE_ID } from '@kinora/contracts/jobs/quote';
import { ApiError } from '@kinora/contracts/shared/errors';
import { JobsConfig } from '../jobs.config';
import type { HeldPrice } from './held-price';

/** Keeps a signature of another purpose from being a quote, and names the order of the fields. */
const PURPOSE = 'kinora-quote-1';

type Fields = [
  kind: Operation,
  model: string,
  size: string | null,
  unitMicros: number,
  per: 'image' | 'second',
  quantity: number,
  expiresAtMs: number,
  priceChanges?: number[],
];

/**
 * Quotes without a table: a quote is its own row, signed. A caller who asks for a million quotes stores nothing here. The account
 * is a part of what is signed, so the quote of another account is unknown.
 */
@Injectable()
export class QuoteTokens {
  /** The key that signs, then those that are accepted besides; none in a process without the role api. */
  private readonly keys: KeyObject[];

  constructor(config: JobsConfig) {
    const { quoteKey, quoteKeyAccepted } = config;
    const texts = config.has('api') ? [quoteKey, quoteKeyAccepted].filter((text) => text !== '') : [];
    this.keys = texts.map((text) => createSecretKey(text, 'utf8'));
  }

  issue(accountId: string, { kind, model, size, price, expiresAtMs }: HeldPrice): string {
    const { unit_micros, per, quantity, price_changes } = price;
    const fields: Fields = [kind, model, size, unit_micros, per, quantity, expiresAtMs];
    if (price_changes) fields.push(price_changes);
    const text = Buffer.from(JSON.stringify(fields)).toString('base64url');
    const [key] = this.keys;
    if (!key) throw new Error('Only a process with the role api issues quotes.');
    return `quo_${text}.${macOf(key, accountId, text).toString('base64url')}`;
  }

  /** @throws ApiError quote_expired, also for a quote that is unknown, changed, or of another account */
  read(accountId: string, token: string): HeldPrice {
    const [, text = '', mac = ''] = QUOTE_ID.exec(token) ?? [];
    const sent = Buffer.from(mac, 'base64url');
    const isGenuine = (key: KeyObject): boolean => timingSafeEqual(macOf(key, accountId, text), sent);
    if (text === '' || !this.keys.some(isGenuine)) throw expired();
    const [kind, model, size, unit_micros, per, quantity, expiresAtMs, price_changes] = JSON.parse(
      Buffer.from(text, 'base64url').toString(),
    ) as Fields;
    if (Date.now() >= expiresAtMs) throw expired();
    const price = { unit_micros, per, quantity, ...(price_changes && { price_changes }) };
    return { kind, model, size, price, expiresAtMs };
  }
}

function macOf(key: KeyObject, accountId: string, text: string): Buffer {
  return createHmac('sha256', key).update(`${PURPOSE}\n${accountId}\n${text}`).digest();
}

function expired(): ApiError {
  return new ApiError('quote_expired', 'The quote has expired, or is unknown. Request a new one by POST /v1/quotes.', {
    param: 'X-Service-Quote',
  });
}
