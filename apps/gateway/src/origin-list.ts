import { parseUrl } from '@kinora/contracts/shared/parse-url';
import { type ValidationOptions, ValidateBy } from 'class-validator';

/** Validates KINORA_CORS_ORIGINS: each entry is an origin as browsers send it. */
export function IsOriginList(options?: ValidationOptions): PropertyDecorator {
  const message =
    'must be a comma-separated list of origins such as https://app.example, without a path or a default port';
  const validate = (value: unknown): boolean => typeof value === 'string' && originsOf(value).every(isOrigin);
  return ValidateBy(
    { name: 'isOriginList', validator: { validate, defaultMessage: () => `$property ${message}` } },
    options,
  );
}

export function originsOf(list: string): string[] {
  return list === '' ? [] : list.split(',').map((entry) => entry.trim());
}

function isOrigin(entry: string): boolean {
  // A wildcard is part of a valid host name for the URL parser.
  return /^https?:\/\/[^*]+$/.test(entry) && parseUrl(entry)?.origin === entry;
}
