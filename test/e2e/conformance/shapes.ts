import { parseUrl } from '@kinora/contracts/shared/texts';

/** An asymmetric matcher for `toEqual`; a failure prints its name. */
class Shape {
  constructor(
    private readonly name: string,
    private readonly holds: (value: unknown) => boolean,
  ) {}

  asymmetricMatch(value: unknown): boolean {
    return this.holds(value);
  }

  toString(): string {
    return this.name;
  }

  toAsymmetricMatcher(): string {
    return `<${this.name}>`;
  }

  orNull(): Shape {
    return new Shape(`${this.name} or null`, (value) => value === null || this.holds(value));
  }
}

const matching = (name: string, pattern: RegExp): Shape =>
  new Shape(name, (value) => typeof value === 'string' && pattern.test(value));

export const aText = new Shape('a text', (value) => typeof value === 'string');
export const anInteger = new Shape('an integer', Number.isSafeInteger);
export const aNumber = new Shape('a number', Number.isFinite);
export const aBoolean = new Shape('a boolean', (value) => typeof value === 'boolean');
export const anObject = new Shape('an object', (value) => typeof value === 'object' && value !== null);
export const aUrl = new Shape('a URL', (value) => typeof value === 'string' && parseUrl(value) !== null);
export const aUuid = matching('a UUID', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
export const aUuidV7 = matching('a UUIDv7', /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
export const aDay = matching('a day', /^\d{4}-\d{2}-\d{2}$/);
export const aDateTime = matching('an RFC 3339 time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
export const aRequestId = matching('a request id', /^req_[0-9A-Za-z]{24,}$/);

export function oneOf(...values: readonly unknown[]): Shape {
  return new Shape(`one of ${values.join(', ')}`, (value) => values.includes(value));
}

export function listOf(holds: (item: unknown) => boolean, name = 'a list'): Shape {
  return new Shape(name, (value) => Array.isArray(value) && value.every(holds));
}
