import { isRecord } from '@kinora/contracts/shared/is-record';
import { EngineFault } from './engine-fault';

export type JsonMap = Record<string, unknown>;

/** @throws EngineFault for what is no map. */
export function asMap(value: unknown, what: string): JsonMap {
  if (isRecord(value)) return value;
  throw new EngineFault(`${what} is missing or no map`);
}

/** @throws EngineFault for what is no list. */
export function asList(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw new EngineFault(`${what} is missing or no list`);
}

/** @throws EngineFault for everything but a number from zero to one: a score that means nothing must not compare as low. */
export function asShare(value: unknown, what: string): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw new EngineFault(`${what} is no number from 0 to 1`);
}
