import { registerDecorator } from 'class-validator';

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
/** Visible characters, spaces and tabs. Any other character would end the header, or be refused only when it is sent. */
const VALUE = /^[\t\x20-\x7e]{1,8192}$/;

/** Makes a field a map of HTTP headers. Errors never quote the values, because they are secrets. */
export function AreHeaders(): PropertyDecorator {
  return (prototype, property) =>
    registerDecorator({
      name: 'areHeaders',
      target: prototype.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) =>
          typeof value === 'object' && value !== null && Object.entries(value).every(isHeader),
        defaultMessage: () => 'must be names and values of HTTP headers',
      },
    });
}

function isHeader([name, value]: [string, unknown]): boolean {
  return NAME.test(name) && typeof value === 'string' && VALUE.test(value);
}
