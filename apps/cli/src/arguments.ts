import type { Command } from 'commander';
import { ApiError } from '@kinora/contracts/shared/errors';

/** Flags whose name differs from the field that they fill; any other is the field's name with dashes. */
const FLAG_BY_FIELD: Readonly<Record<string, string>> = {
  account_id: '--account',
  allowed_models: '--models',
  amount_micros: '--usd',
  before_entry_id: '--before',
  balance_micros: '--balance-usd',
  cap_micros: '--cap-usd',
  event_id: '--event',
  factor_basis_points: '--factor',
  job_id: '--job',
  micros_by_size: '--size',
  rate_limit_rpm: '--rpm',
};

/**
 * Replaces the field name in a service's error by the flag: the operator typed the flag and does not know the field.
 */
export function nameFlag(error: ApiError, { options }: Command): ApiError {
  const { code, message, param: field } = error;
  if (field === undefined) return error;
  const flag = FLAG_BY_FIELD[field] ?? `--${field.replaceAll('_', '-')}`;
  if (!options.some(({ long }) => long === flag)) return error;
  const said = message.startsWith(`${field} `) ? flag + message.slice(field.length) : `${flag}: ${message}`;
  return new ApiError(code, said, { param: flag });
}

/** Flags without a value; every other one is followed by its value. */
const WITHOUT_VALUE = new Set([
  '--json',
  '--help',
  '-h',
  '--enabled',
  '--disabled',
  '--without-job',
  '--all',
  '--full',
]);

/**
 * Moves flags with their values behind the words, so that an operator may write them anywhere: the parser accepts
 * `--name` only after the command that defines it.
 */
export function putFlagsLast(argv: string[]): string[] {
  const words: string[] = [];
  const flags: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const part = argv[index] as string;
    if (!part.startsWith('-')) words.push(part);
    else if (WITHOUT_VALUE.has(part) || part.includes('=')) flags.push(part);
    else flags.push(...argv.slice(index, ++index + 1));
  }
  return [...words, ...flags];
}
