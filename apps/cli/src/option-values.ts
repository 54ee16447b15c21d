import { ApiError } from '@kinora/contracts/shared/errors';
import { type Micros, parseUsd } from '@kinora/contracts/shared/money';

/** Parses an amount such as "10" or "0.25" for the flag. */
export function usdOf(flag: string): (text: string) => Micros {
  return (text) => {
    const micros = parseUsd(text);
    if (micros === null) throw refuse(flag, 'must be an amount in USD with at most six decimals, such as 10 or 0.25');
    return micros;
  };
}

/** The same for an amount that must not be 0. Billing would name its limits in micros. */
export function positiveUsdOf(flag: string): (text: string) => Micros {
  return (text) => {
    const micros = usdOf(flag)(text);
    if (micros === 0) throw refuse(flag, 'must be more than 0 USD');
    return micros;
  };
}

export function signedUsdOf(flag: string): (text: string) => Micros {
  return (text) => {
    const micros = usdOf(flag)(text.replace(/^[+-]/, ''));
    return text.startsWith('-') ? -micros : micros;
  };
}

export function positiveIntegerOf(flag: string): (text: string) => number {
  return (text) => {
    if (!/^[1-9]\d{0,14}$/.test(text)) throw refuse(flag, 'must be a positive whole number');
    return Number(text);
  };
}

export function wholeNumberOf(flag: string): (text: string) => number {
  return (text) => {
    if (!/^\d{1,15}$/.test(text)) throw refuse(flag, 'must be a whole number');
    return Number(text);
  };
}

/** Parses "a,b" into two items. */
export function listOf(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}

type Given<Options> = { [Key in keyof Options]?: Exclude<Options[Key], undefined> };

/** Only the options that were given: an omitted field and an empty one have different effects. */
export function given<Options extends object>(options: Options): Given<Options> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<Options>;
}

function refuse(flag: string, rule: string): ApiError {
  return new ApiError('invalid_body', `${flag} ${rule}.`, { param: flag });
}

/** Help text of `--cursor` of a list. */
export const CURSOR = 'cursor of the page, as the previous page shows it';
