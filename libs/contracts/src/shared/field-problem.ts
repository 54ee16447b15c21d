import { brokenRule, type FieldProblem, type FieldsClass, fieldsOf, type ItemCheck } from './compiled-fields';
import { isRecord } from './texts';

/**
 * Checks received data against the rules of a body class. An unknown field is reported first: it is usually a misspelt known
 * one, and an error about the missing field would be misleading.
 */
export function findFieldProblem(bodyClass: FieldsClass, received: unknown, path = ''): FieldProblem | null {
  if (!isRecord(received)) return { param: path, message: 'must be an object' };
  const prefix = path === '' ? '' : `${path}.`;
  const fields = fieldsOf(bodyClass);
  const unknown = Object.keys(received).find((name) => !fields.has(name));
  if (unknown !== undefined) return { param: prefix + unknown, message: 'is not a known field' };
  for (const field of fields.values()) {
    const value = received[field.name];
    const param = prefix + field.name;
    const message = brokenRule(field, received, value);
    if (message !== undefined)
      return { param, message: value === undefined || value === null ? 'is required' : message };
    const problem = field.checkItem && findItemProblem(field.checkItem, value, param);
    if (problem) return problem;
  }
  return null;
}

function findItemProblem(checkItem: ItemCheck, items: unknown, path: string): FieldProblem | null {
  if (!Array.isArray(items)) return null;
  for (const [index, item] of items.entries()) {
    const problem = checkItem(item, `${path}[${index}]`);
    if (problem) return problem;
  }
  return null;
}
