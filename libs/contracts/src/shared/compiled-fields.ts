import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { isRecord } from './texts';

/** The first offending field of a body, with its path, and the end of the sentence "<field> …" that says what is wrong. */
export interface FieldProblem {
  param: string;
  message: string;
}

/** Checks one item of a list after the list's own rule has passed. */
export type ItemCheck = (item: unknown, path: string) => FieldProblem | null;

export type FieldsClass = new () => object;

/** Metadata of a rule, for code that needs more than the test. */
export interface RuleContext {
  /** The allowed values in terms of JSON Schema; objects in a list are described by their class instead. */
  schema: Readonly<Record<string, unknown>>;
  /** Size of the longest valid value as JSON with every character escaped; body limits are derived from it. */
  maxJsonBytes: number;
  itemClass?: FieldsClass;
  /** Names the offending item of a list. */
  checkItem?: ItemCheck;
}

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** Whether the rules of a field are checked at all. */
type Condition = (received: object, value: unknown) => boolean;

interface CompiledRule {
  message: string;
  holds: (value: unknown) => boolean;
}

/** A field with the rules of all its decorators. */
export interface CompiledField {
  name: string;
  conditions: Condition[];
  rules: CompiledRule[];
  /** Size of the longest value that all rules allow, as fully escaped JSON. */
  maxJsonBytes: number;
  checkItem?: ItemCheck;
}

/** The fields of a class by name, in the order of their declaration. */
export type CompiledFields = ReadonlyMap<string, CompiledField>;

const fieldsByClass = new Map<FieldsClass, CompiledFields>();

/**
 * The rules that a class's decorators have registered with class-validator, compiled once. class-validator collects them at
 * every validation, which costs ten times as much as checking them.
 */
export function fieldsOf(fieldsClass: FieldsClass): CompiledFields {
  const known = fieldsByClass.get(fieldsClass);
  if (known) return known;
  const fields = compile(fieldsClass);
  fieldsByClass.set(fieldsClass, fields);
  return fields;
}

/** The violation of a field, if any: the message of the first rule that its value violates. */
export function brokenRule({ conditions, rules }: CompiledField, received: object, value: unknown): string | undefined {
  if (!conditions.every((applies) => applies(received, value))) return undefined;
  return rules.find(({ holds }) => !holds(value))?.message;
}

function compile(fieldsClass: FieldsClass): CompiledFields {
  const fields = new Map<string, CompiledField>();
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(fieldsClass, '', false, false)) {
    const name = rule.propertyName;
    const field = fields.get(name) ?? { name, conditions: [], rules: [], maxJsonBytes: Infinity };
    fields.set(name, field);
    addRule(field, rule);
  }
  return fields;
}

function addRule(field: CompiledField, rule: Rule): void {
  if (rule.type === ValidationTypes.CONDITIONAL_VALIDATION) {
    field.conditions.push(...(rule.constraints as Condition[]));
    return;
  }
  const [constraint] = getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
  const { message } = rule;
  const { checkItem, maxJsonBytes } = (rule.context ?? {}) as Partial<RuleContext>;
  // Other rules of class-validator would silently not be checked here, so they are refused.
  if (!constraint || typeof message !== 'string' || rule.each || rule.validateIf || maxJsonBytes === undefined)
    throw new Error(`${field.name} has a rule that field-rules.ts does not define.`);
  field.rules.push({ message, holds: (value) => constraint.instance.validate(value) === true });
  field.maxJsonBytes = Math.min(field.maxJsonBytes, maxJsonBytes);
  if (checkItem) field.checkItem = checkItem;
}

/**
 * The fields of a body that were sent with a value: null stands for a field that was left out (decisions: Request bodies), also
 * in the items of a list. A deeper null is not of a field, as in metadata, and the rules of its field judge it.
 */
export function sentFields(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const sent = Object.entries(withoutNulls(body)).map(([name, value]) => {
    return [
      name,
      Array.isArray(value) ? value.map((item: unknown) => (isRecord(item) ? withoutNulls(item) : item)) : value,
    ];
  });
  return Object.fromEntries(sent);
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  // The bytes of an image are no fields.
  if (fields instanceof Uint8Array) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
