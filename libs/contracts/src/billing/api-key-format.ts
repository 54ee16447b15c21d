/**
 * An API key: `knr_live_`, 32 random characters, and a checksum of 6 characters (the CRC-32 of all before them). A misspelt or
 * invented key is recognised without a request, here and by scanners for leaked keys.
 */
export const API_KEY_PREFIX = 'knr_live_';
export const API_KEY_RANDOM_LENGTH = 32;

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const WELL_FORMED = /^knr_(?:live|test)_[0-9A-Za-z]{38}$/;
/** 62^6 > 2^32. */
const CHECKSUM_LENGTH = 6;
/** The polynomial of zlib and PNG, in reversed bit order. */
const CRC32_POLYNOMIAL = 0xedb88320;

/** Whether the checksum of a key is correct. Only billing can decide whether the key was issued. */
export function isWellFormedApiKey(key: string): boolean {
  return WELL_FORMED.test(key) && key.endsWith(apiKeyChecksum(key.slice(0, -CHECKSUM_LENGTH)));
}

/** The checksum of a key that begins with the given characters. */
export function apiKeyChecksum(body: string): string {
  let checksum = '';
  for (let rest = crc32(body); checksum.length < CHECKSUM_LENGTH; rest = Math.floor(rest / BASE62.length)) {
    checksum = BASE62.charAt(rest % BASE62.length) + checksum;
  }
  return checksum;
}

/** CRC-32 of ASCII text. Implemented here because contracts import nothing; 41 bytes need no lookup table. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ CRC32_POLYNOMIAL : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/**
 * What a key may do, from least to most: each scope includes those before it. `read`: reading only. `jobs`: everything but
 * the administration of the account. `account`: everything.
 */
export const KEY_SCOPES = ['read', 'jobs', 'account'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Of a key that is made without a scope. */
export const DEFAULT_KEY_SCOPE: KeyScope = 'jobs';

export function includesScope(scope: KeyScope, required: KeyScope): boolean {
  return KEY_SCOPES.indexOf(scope) >= KEY_SCOPES.indexOf(required);
}

/** A key's name has so many characters, and is not of white space and zero-width characters alone (`isVisibleText`): an operator and an account find it by its name. */
export const KEY_NAME_CHARS = { min: 1, max: 100 };
