import { ValidateIf, registerDecorator } from 'class-validator';
import { findFieldProblem } from './field-problem';
import { BLANK_CHARACTERS, isRecord, isStorableText, isVisibleText, parseTimeText, TIME_TEXT } from './texts';
import {
  NUMBER_JSON_BYTES,
  escapedJsonBytes,
  imageJsonBytes,
  listJsonBytes,
  maxBodyBytes,
  textJsonBytes,
} from './json-size';
import type { FieldsClass, ItemCheck, RuleContext } from './compiled-fields';

export interface Range {
  min: number;
  max: number;
}

/** Width, the letter x, height; 3 or 4 digits each (API: ImageGenerationBody.size). */
const SIZE = /^\d{3,4}x\d{3,4}$/;
const LONGEST_SIZE = '9999x9999';

const CURSOR = /^[\w-]+$/;
const CURSOR_MAX_CHARS = 200;
const TIME_MAX_CHARS = 40;

const METADATA_ENTRIES_MAX = 16;
const METADATA_KEY_CHARS: Range = { min: 1, max: 64 };
const METADATA_VALUE_CHARS: Range = { min: 0, max: 256 };

/** An optional field. Null stands for a field that was left out, which typed clients send; `sentFields` removes it. */
export function Optional(): PropertyDecorator {
  return ValidateIf((_body, value) => value !== undefined && value !== null);
}

/** An optional field of an operator's file, in which null is a mistake: a name without a value would silently get its default. */
export function OptionalSetting(): PropertyDecorator {
  return ValidateIf((_file, value) => value !== undefined);
}

/** A text that can be stored and passed on verbatim; its length counts Unicode code points. */
export function IsText(chars: Range): PropertyDecorator {
  const context = { schema: textSchema(chars), maxJsonBytes: textJsonBytes(chars.max) };
  return rule('isText', context, textProblem(chars), (value) => isStorableText(value, chars));
}

/** A place in a list, as an answer has given it: base64url, or an id. The service that made it reads it. */
export function IsCursor(): PropertyDecorator {
  return rule(
    'isCursor',
    { schema: patternSchema(CURSOR, CURSOR_MAX_CHARS), maxJsonBytes: textJsonBytes(CURSOR_MAX_CHARS) },
    'is not a place that an answer of this service has given',
    (value) => typeof value === 'string' && value.length <= CURSOR_MAX_CHARS && CURSOR.test(value),
  );
}

/** A day or a time (decisions: Usage reports). */
export function IsTimeText(): PropertyDecorator {
  return rule(
    'isTimeText',
    { schema: patternSchema(TIME_TEXT, TIME_MAX_CHARS), maxJsonBytes: textJsonBytes(TIME_MAX_CHARS) },
    'must be a day such as 2026-11-20, or a time such as 2026-11-20T09:00:00Z',
    (value) => typeof value === 'string' && value.length <= TIME_MAX_CHARS && parseTimeText(value) !== null,
  );
}

/** A text that is not of white space and zero-width characters alone. The text is not trimmed. */
export function IsVisibleText(chars: Range): PropertyDecorator {
  const schema = { ...lengthSchema(chars), pattern: `^(?![${BLANK_CHARACTERS}]+$)[^\\u0000]*$` };
  const context = { schema, maxJsonBytes: textJsonBytes(chars.max) };
  const problem = `${textProblem(chars)}, and not of white space and zero-width characters alone`;
  return rule('isVisibleText', context, problem, (value) => isVisibleText(value, chars));
}

/**
 * An image as an https URL, a data URI or, if that was decoded already, its bytes. The content is checked when it is read:
 * counting or searching fourteen million characters here would cost more than decoding them.
 */
export function IsImageSource(chars: Range): PropertyDecorator {
  const context = { schema: lengthSchema(chars), maxJsonBytes: imageJsonBytes(chars.max) };
  return rule('isImageSource', context, textProblem(chars), (value) => isImageSource(value, chars));
}

export function IsListOfImageSources(items: Range, chars: Range): PropertyDecorator {
  const checkItem: ItemCheck = (item, path) =>
    isImageSource(item, chars) ? null : { param: path, message: textProblem(chars) };
  return listRule(items, { items: lengthSchema(chars) }, { checkItem, maxItemJsonBytes: imageJsonBytes(chars.max) });
}

/** A list of texts, each of which stands once; each is named by its place. */
export function IsListOfUniqueTexts(items: Range, chars: Range): PropertyDecorator {
  const checkItem: ItemCheck = (item, path) =>
    isStorableText(item, chars) ? null : { param: path, message: textProblem(chars) };
  const schema = { items: textSchema(chars), uniqueItems: true };
  return listRule(items, schema, { checkItem, maxItemJsonBytes: textJsonBytes(chars.max) });
}

/** A list of objects with the fields of a class. */
export function IsListOf(itemClass: FieldsClass, items: Range): PropertyDecorator {
  const checkItem: ItemCheck = (item, path) => findFieldProblem(itemClass, item, path);
  return listRule(items, {}, { itemClass, checkItem, maxItemJsonBytes: maxBodyBytes(itemClass) });
}

export function IsOneOf(values: readonly (string | number)[]): PropertyDecorator {
  const problem = `must be one of ${values.join(', ')}`;
  const context = { schema: { enum: values }, maxJsonBytes: Math.max(...values.map(escapedJsonBytes)) };
  return rule('isOneOf', context, problem, (value) => values.some((each) => each === value));
}

export function IsIntegerIn({ min, max }: Range): PropertyDecorator {
  return rule(
    'isIntegerIn',
    { schema: { type: 'integer', minimum: min, maximum: max }, maxJsonBytes: NUMBER_JSON_BYTES },
    `must be an integer from ${min} to ${max}`,
    (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max,
  );
}

/** An integer in a query: plain digits, without a sign or leading zeros. */
export function IsIntegerText({ min, max }: Range): PropertyDecorator {
  return rule(
    'isIntegerText',
    { schema: { type: 'integer', minimum: min, maximum: max }, maxJsonBytes: escapedJsonBytes(String(max)) },
    `must be an integer from ${min} to ${max}`,
    (value) =>
      typeof value === 'string' && /^(0|[1-9]\d{0,14})$/.test(value) && Number(value) >= min && Number(value) <= max,
  );
}

export function IsNumberIn({ min, max }: Range): PropertyDecorator {
  return rule(
    'isNumberIn',
    { schema: { type: 'number', minimum: min, maximum: max }, maxJsonBytes: NUMBER_JSON_BYTES },
    `must be a number from ${min} to ${max}`,
    (value) => typeof value === 'number' && value >= min && value <= max,
  );
}

export function IsSize(): PropertyDecorator {
  return rule(
    'isSize',
    { schema: { type: 'string', pattern: SIZE.source }, maxJsonBytes: escapedJsonBytes(LONGEST_SIZE) },
    'must be a width, the letter x and a height, such as 1024x1024',
    (value) => typeof value === 'string' && SIZE.test(value),
  );
}

/** An object whose fields are checked by another class. Its size is not bounded here. */
export function IsObject(): PropertyDecorator {
  const context = { schema: { type: 'object' }, maxJsonBytes: Number.POSITIVE_INFINITY };
  return rule('isObject', context, 'must be an object', isRecord);
}

/** At most 16 entries, keys of 1 to 64 characters, values of up to 256 (API: ImageGenerationBody.metadata). */
export function IsMetadata(): PropertyDecorator {
  return rule(
    'isMetadata',
    {
      schema: {
        type: 'object',
        maxProperties: METADATA_ENTRIES_MAX,
        propertyNames: textSchema(METADATA_KEY_CHARS),
        additionalProperties: textSchema(METADATA_VALUE_CHARS),
      },
      // The entry as JSON: its name, a colon and its value.
      maxJsonBytes: listJsonBytes(
        METADATA_ENTRIES_MAX,
        textJsonBytes(METADATA_KEY_CHARS.max) + 1 + textJsonBytes(METADATA_VALUE_CHARS.max),
      ),
    },
    `must be an object of at most ${METADATA_ENTRIES_MAX} entries, with keys of ${METADATA_KEY_CHARS.min} to ` +
      `${METADATA_KEY_CHARS.max} characters and texts of up to ${METADATA_VALUE_CHARS.max}`,
    isMetadata,
  );
}

function isMetadata(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= METADATA_ENTRIES_MAX &&
    entries.every(
      ([key, text]) => isStorableText(key, METADATA_KEY_CHARS) && isStorableText(text, METADATA_VALUE_CHARS),
    )
  );
}

function isImageSource(value: unknown, { min, max }: Range): boolean {
  // Three bytes become four characters of base64.
  if (value instanceof Uint8Array) return value.byteLength <= (max * 3) / 4;
  return typeof value === 'string' && value.length >= min && value.length <= max;
}

function textProblem({ min, max }: Range): string {
  return `must be a text of ${min} to ${max} characters without U+0000 and lone surrogates`;
}

/** JSON Schema counts the length in code points, as the rules do. */
function lengthSchema({ min, max }: Range): RuleContext['schema'] {
  return { type: 'string', ...(min > 0 && { minLength: min }), maxLength: max };
}

/** JSON Schema cannot express that a lone surrogate is refused, because no valid text contains one. */
function textSchema(chars: Range): RuleContext['schema'] {
  return { ...lengthSchema(chars), pattern: '^[^\\u0000]*$' };
}

function patternSchema(pattern: RegExp, maxLength: number): RuleContext['schema'] {
  return { type: 'string', minLength: 1, maxLength, pattern: pattern.source };
}

function listRule(
  { min, max }: Range,
  itemSchema: RuleContext['schema'],
  { maxItemJsonBytes, ...ofItems }: Omit<RuleContext, 'schema' | 'maxJsonBytes'> & { maxItemJsonBytes: number },
): PropertyDecorator {
  return rule(
    'isList',
    {
      schema: { type: 'array', ...itemSchema, ...(min > 0 && { minItems: min }), maxItems: max },
      maxJsonBytes: listJsonBytes(max, maxItemJsonBytes),
      ...ofItems,
    },
    `must be a list of ${min} to ${max} ${itemSchema['uniqueItems'] ? 'different ' : ''}items`,
    (value) =>
      Array.isArray(value) &&
      value.length >= min &&
      value.length <= max &&
      !(itemSchema['uniqueItems'] && new Set(value).size < value.length),
  );
}

/** One rule of a field in three forms: a schema with the largest JSON size, the end of the sentence "<field> …", and a test. */
function rule(
  name: string,
  context: RuleContext,
  problem: string,
  holds: (value: unknown) => boolean,
): PropertyDecorator {
  return (prototype, property) =>
    registerDecorator({
      name,
      target: prototype.constructor,
      propertyName: String(property),
      options: { message: problem, context },
      validator: { validate: holds },
    });
}
