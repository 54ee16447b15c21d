import { ValidationTypes, getMetadataStorage } from 'class-validator';
import type { FieldsClass, ItemCheck, RuleContext } from './rule-context';

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
