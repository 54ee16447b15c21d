import { isRecord } from '@kinora/contracts/shared/is-record';
import { EngineFault } from './engine-fault';

export type JsonMap = Record<string, unknown>;

/** @throws EngineFault for a value that is not a map. */
export function asMap(value: unknown, what: string): JsonMap {
  if (isRecord(value)) return value;
  throw new EngineFault(`${what} is missing or not a map`);
}

/** @throws EngineFault for a value that is not a list. */
export function asList(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw new EngineFault(`${what} is missing or not a list`);
}

/** @throws EngineFault for everything except a number from 0 to 1, because NaN or null would compare as below every threshold. */
export function asShare(value: unknown, what: string): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw new EngineFault(`${what} is not a number from 0 to 1`);
}
