import type { Environment } from './environment';
import type { FieldPath } from './config-problem';
import type { ConfigError } from './config-error';
import { OperatorDocument } from './operator-document';

/** A YAML file that meets the rules of its class. */
export interface OperatorFile<Content> {
  content: Content;
  /** For rules that decorators cannot express: an error that names the line of the field. */
  errorAt: (path: FieldPath, rule: string) => ConfigError;
}

/**
 * Reads a YAML file that an operator may have written; null if it does not exist. With an environment, `${NAME}` in values is
 * replaced.
 * @throws ConfigError that names the file, its first invalid line and the field.
 */
export function readOperatorFile<Content extends object>(
  file: string,
  contentClass: new () => Content,
  environment: Environment | null = null,
): OperatorFile<Content> | null {
  const document = OperatorDocument.open(file, environment);
  if (!document) return null;
  const { content, problems } = document.check(contentClass, document.plain);
  document.assertSound(problems);
  return { content, errorAt: (path, rule) => document.errorAt(path, rule) };
}
