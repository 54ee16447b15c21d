import { type ValidationError, getMetadataStorage, validateSync } from 'class-validator';

/** The first offending field of a body, with its path, and the end of the sentence "<field> …" that says what is wrong. */
export interface FieldProblem {
  param: string;
  message: string;
}

/** Judges one item of a list whose own rule has passed. */
export type ItemCheck = (item: unknown, path: string) => FieldProblem | null;

export type FieldsClass = new () => object;

/** What a rule leaves beside itself, for those who must tell more than whether it holds. */
export interface RuleContext {
  /** What the field may hold, in the words of JSON Schema; objects in a list are told by their class instead. */
  schema: Readonly<Record<string, unknown>>;
  itemClass?: FieldsClass;
  /** Names the offending item of a list. */
  checkItem?: ItemCheck;
}

/** The fields of a class in the order of their declaration. */
type Fields = ReadonlyMap<string, ItemCheck | undefined>;

const fieldsByClass = new Map<FieldsClass, Fields>();

/**
 * Compares what was received with the rules of a body class. A field that the class does not know comes first: it is
 * most often a known one misspelt, and to miss that one instead would help nobody.
 */
export function findFieldProblem(bodyClass: FieldsClass, received: unknown, path = ''): FieldProblem | null {
  if (!isObject(received)) return { param: path, message: 'must be an object' };
  const prefix = path === '' ? '' : `${path}.`;
  const fields = fieldsOf(bodyClass);
  const unknown = Object.keys(received).find((name) => !fields.has(name));
  if (unknown !== undefined) return { param: prefix + unknown, message: 'is not a known field' };
  const messages = findBrokenRules(bodyClass, received);
  for (const [name, checkItem] of fields) {
    const message = messages.get(name);
    if (message !== undefined) return { param: prefix + name, message };
    const problem = checkItem && findItemProblem(checkItem, received[name], prefix + name);
    if (problem) return problem;
  }
  return null;
}

function findBrokenRules(bodyClass: FieldsClass, received: object): Map<string, string> {
  // Every key is a known one by now; before that an own `__proto__` of the received object could change the copy's type.
  const body = Object.assign(new bodyClass(), received);
  const errors = validateSync(body, { stopAtFirstError: true, validationError: { target: false, value: false } });
  return new Map(errors.map((error) => [error.property, firstMessage(error)]));
}

function firstMessage(error: ValidationError): string {
  return Object.values(error.constraints ?? {})[0] ?? 'is invalid';
}

function findItemProblem(checkItem: ItemCheck, items: unknown, path: string): FieldProblem | null {
  if (!Array.isArray(items)) return null;
  for (const [index, item] of items.entries()) {
    const problem = checkItem(item, `${path}[${index}]`);
    if (problem) return problem;
  }
  return null;
}

function fieldsOf(bodyClass: FieldsClass): Fields {
  const known = fieldsByClass.get(bodyClass);
  if (known) return known;
  const fields = new Map<string, ItemCheck | undefined>();
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(bodyClass, '', false, false)) {
    const context = rule.context as RuleContext | undefined;
    fields.set(rule.propertyName, context?.checkItem ?? fields.get(rule.propertyName));
  }
  fieldsByClass.set(bodyClass, fields);
  return fields;
}

/** A JSON object, which is neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
