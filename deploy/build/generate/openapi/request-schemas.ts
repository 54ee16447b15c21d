import { ValidationTypes, getMetadataStorage } from 'class-validator';
import type { FieldsClass, RuleContext } from '@kinora/contracts/shared/compiled-fields';
import type { JsonSchema } from '../contracts/json-schema';

/** A field of a body or a parameter of a query, described by its rules. */
export interface Field {
  name: string;
  isRequired: boolean;
  schema: JsonSchema;
  /** For a list of objects, the class of an item. */
  itemClass?: FieldsClass;
}

export function fieldsOf(fieldsClass: FieldsClass): Field[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(fieldsClass, '', false, false);
  const optional = new Set(
    rules.filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION).map(({ propertyName }) => propertyName),
  );
  return rules.flatMap(({ propertyName, context }) => {
    const { schema, itemClass } = (context ?? {}) as Partial<RuleContext>;
    if (!schema) return [];
    return [{ name: propertyName, isRequired: !optional.has(propertyName), schema, ...(itemClass && { itemClass }) }];
  });
}
