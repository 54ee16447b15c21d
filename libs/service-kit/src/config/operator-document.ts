import { readFileSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import {
  type Alias,
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { isRecord } from '@kinora/contracts/shared/texts';
import { ConfigError, type ConfigProblem, type Environment, type FieldPath } from './config-problem';
import { readSecret } from './read-secret';

const REFERENCE = /\$\{([^}]*)\}/g;

/**
 * Replaces `${NAME}` by environment variables, in values and not in keys. A variable that is not set is a problem. Most of them
 * are secrets, so each may be in a file (`<NAME>_FILE`).
 */
export function expandEnvironment<Plain extends object>(
  plain: Plain,
  environment: Environment,
): { expanded: Plain; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const expand = (value: unknown, path: FieldPath): unknown => {
    if (typeof value === 'string')
      return value.replace(REFERENCE, (_, name: string) => {
        const found = readSecret(name, environment);
        if (found === undefined) problems.push({ path, rule: `the environment variable ${name} is not set` });
        return found ?? '';
      });
    if (Array.isArray(value)) return value.map((item: unknown, index) => expand(item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, expand(field, [...path, key])]));
  };
  return { expanded: expand(plain, []) as Plain, problems };
}

/** A YAML file written by an operator. The line of each value is kept. */
export class OperatorDocument {
  /** The whole content as plain values. */
  readonly plain: object;

  private constructor(
    private readonly file: string,
    private readonly document: Document,
    private readonly lines: LineCounter,
    environment: Environment | null,
  ) {
    const [syntaxError] = document.errors;
    if (syntaxError) throw this.errorAtOffset(syntaxError.pos[0], syntaxError.message);
    this.assertAliases();
    const plain = (document.toJS() ?? {}) as unknown;
    if (!isRecord(plain)) throw this.errorAt([], 'must be a map of settings');
    const { expanded, problems } = environment ? expandEnvironment(plain, environment) : noExpansion(plain);
    this.assertSound(problems);
    this.plain = expanded;
  }

  /** Null if the file does not exist. With an environment, `${NAME}` in values is replaced. @throws ConfigError */
  static open(file: string, environment: Environment | null = null): OperatorDocument | null {
    const text = readIfPresent(file);
    return text === null ? null : OperatorDocument.parse(file, text, environment);
  }

  /** Parses text that is not in a file; errors use the given name. @throws ConfigError */
  static parse(name: string, text: string, environment: Environment | null = null): OperatorDocument {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    return new OperatorDocument(name, document, lines, environment);
  }

  /**
   * Converts a part of the file to its class, and collects the rules that it violates. Unknown fields are an error, because a
   * misspelt field would silently leave its default in force.
   */
  check<Content extends object>(
    contentClass: new () => Content,
    plain: object,
    at: FieldPath = [],
  ): { content: Content; problems: ConfigProblem[] } {
    const content = plainToInstance(contentClass, plain, { exposeDefaultValues: true });
    // A class without rules has no known fields.
    const errors = validateSync(content, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false });
    return { content, problems: errors.flatMap((error) => toProblems(error, at)) };
  }

  /** @throws ConfigError that names the file, the line and the field of the first problem in the file. */
  assertSound(problems: ConfigProblem[]): void {
    const places = problems.map((problem) => ({ problem, noticedAt: placeOf(this.top, problem.path).noticedAt }));
    const [first] = places.sort((one, other) => one.noticedAt - other.noticedAt);
    if (first) throw this.errorAt(first.problem.path, first.problem.rule);
  }

  /** The line of a field or, if it is missing, of the map around it. */
  lineOf(path: FieldPath): number {
    return this.lines.linePos(placeOf(this.top, path).offset).line;
  }

  /** For rules that decorators cannot express. */
  errorAt(path: FieldPath, rule: string): ConfigError {
    return this.errorAtOffset(placeOf(this.top, path).offset, path.length === 0 ? rule : `${toText(path)}: ${rule}`);
  }

  private assertAliases(): void {
    const Alias = (_: unknown, alias: Alias, path: readonly unknown[]): void => {
      const anchored = alias.resolve(this.document);
      if (anchored && !path.includes(anchored)) return;
      const rule = `*${alias.source} is an alias, and no anchor before it has this name; a text that begins with * needs quotes`;
      throw this.errorAtOffset(alias.range?.[0] ?? 0, rule);
    };
    visit(this.document, { Alias });
  }

  private get top(): Node | null {
    return this.document.contents;
  }

  private errorAtOffset(offset: number, rule: string): ConfigError {
    return new ConfigError(`${this.file}:${this.lines.linePos(offset).line}: ${rule}`);
  }
}

function noExpansion(plain: object): { expanded: object; problems: ConfigProblem[] } {
  return { expanded: plain, problems: [] };
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return null;
    throw new ConfigError(`${file}: cannot be read (${code ?? String(error)})`);
  }
}

function toProblems(error: ValidationError, parents: FieldPath): ConfigProblem[] {
  const path = [...parents, error.property];
  const own = Object.values(error.constraints ?? {}).map((rule) => ({ path, rule }));
  return [...own, ...(error.children ?? []).flatMap((child) => toProblems(child, path))];
}

interface Place {
  /** The position where the field begins or, if it is missing, where the surrounding map begins. */
  offset: number;
  /** A missing field is reported at the end of its map. A misspelt field in the map is thus reported first. */
  noticedAt: number;
}

function placeOf(top: Node | null, path: FieldPath): Place {
  let node: unknown = top;
  let offset = top?.range?.[0] ?? 0;
  for (const key of path) {
    const [begin, value] = enter(node, key);
    if (!begin) return { offset, noticedAt: (isNode(node) && node.range?.[1]) || offset };
    offset = begin.range?.[0] ?? offset;
    node = value;
  }
  return { offset, noticedAt: offset };
}

/** The node at which a field or item begins, and its value. */
function enter(node: unknown, key: string | number): [begin: Node | null, value: unknown] {
  if (isMap(node)) {
    const pair = node.items.find(({ key: name }) => isScalar(name) && String(name.value) === String(key));
    return [isNode(pair?.key) ? pair.key : null, pair?.value];
  }
  const item: unknown = isSeq(node) ? node.items[Number(key)] : undefined;
  return [isNode(item) ? item : null, item];
}

/** A path for messages, such as `models[0].price`. */
function toText(path: FieldPath): string {
  return path.map((key, depth) => (/^\d+$/.test(String(key)) ? `[${key}]` : `${depth > 0 ? '.' : ''}${key}`)).join('');
}

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
