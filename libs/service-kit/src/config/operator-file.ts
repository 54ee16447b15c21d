import { readFileSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validateSync } from 'class-validator';
import { LineCounter, type Node, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';
import { ConfigError } from './load-config';

/** Keys and indexes that lead from the top of a file to a value. */
export type FieldPath = readonly (string | number)[];

/** A YAML file that passed the rules of its class. */
export interface OperatorFile<Content> {
  content: Content;
  /** For rules that a class cannot state: an error that names the line of the field. */
  errorAt: (path: FieldPath, rule: string) => ConfigError;
}

interface Problem {
  path: FieldPath;
  rule: string;
}

/**
 * Reads a YAML file that an operator may have written; null where there is none. Fields that the class does not know
 * are refused, since a misspelt one would silently leave its default in force.
 * @throws ConfigError that names the file, its first wrong line and the field.
 */
export function readOperatorFile<Content extends object>(
  file: string,
  contentClass: new () => Content,
): OperatorFile<Content> | null {
  const text = readIfPresent(file);
  if (text === null) return null;
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const errorAtOffset = (offset: number, rule: string): ConfigError =>
    new ConfigError(`${file}:${lines.linePos(offset).line}: ${rule}`);
  const [syntaxError] = document.errors;
  if (syntaxError) throw errorAtOffset(syntaxError.pos[0], syntaxError.message);

  const errorAt = (path: FieldPath, rule: string): ConfigError =>
    errorAtOffset(placeOf(document.contents, path).offset, path.length === 0 ? rule : `${toText(path)}: ${rule}`);
  const plain = (document.toJS() ?? {}) as unknown;
  if (!isPlainObject(plain)) throw errorAt([], 'must be a map of settings');
  const content = plainToInstance(contentClass, plain, { exposeDefaultValues: true });
  const problems = validateSync(content, { whitelist: true, forbidNonWhitelisted: true }).flatMap((error) =>
    toProblems(error, []),
  );
  const first = firstInFile(problems, document.contents);
  if (first) throw errorAt(first.path, first.rule);
  return { content, errorAt };
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

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toProblems(error: ValidationError, parents: FieldPath): Problem[] {
  const path = [...parents, error.property];
  const own = Object.values(error.constraints ?? {}).map((rule) => ({ path, rule }));
  return [...own, ...(error.children ?? []).flatMap((child) => toProblems(child, path))];
}

function firstInFile(problems: Problem[], top: Node | null): Problem | undefined {
  const places = problems.map((problem) => ({ problem, noticedAt: placeOf(top, problem.path).noticedAt }));
  return places.sort((one, other) => one.noticedAt - other.noticedAt)[0]?.problem;
}

interface Place {
  /** Where the field begins, or the map around it where it is missing. */
  offset: number;
  /** A field is known to be missing at the end of its map: whoever misspelt it is told of the misspelt one first. */
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

/** `models[0].price`, as a person would point at it. */
function toText(path: FieldPath): string {
  return path.map((key, depth) => (/^\d+$/.test(String(key)) ? `[${key}]` : `${depth > 0 ? '.' : ''}${key}`)).join('');
}
