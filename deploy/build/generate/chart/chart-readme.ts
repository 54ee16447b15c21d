import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isMap, isScalar, parseDocument, type Pair, type YAMLMap } from 'yaml';
import { ROOT } from '../../source-files';
import { putPart } from '../architecture/page-part';
import type { GeneratedFiles } from '../generated-files';
import type { Schema } from './describe-values';

const README = 'deploy/helm/kinora/README.md';
const VALUES = 'deploy/helm/kinora/values.yaml';

/** The page of the chart, with a list of what values.yaml contains, by section. */
export async function chartReadme(schema: Schema): Promise<GeneratedFiles> {
  const [page, values] = await Promise.all([README, VALUES].map((file) => readFile(path.join(ROOT, file), 'utf8')));
  return { [README]: putPart(page ?? '', 'values', valueLists(values ?? '', schema)) };
}

/** Values at the top level first, then a list for each section. */
export function valueLists(values: string, schema: Schema): string {
  const document = parseDocument(values);
  if (!isMap(document.contents)) throw new Error('The values are no map.');
  const pairs = document.contents.items;
  const single = pairs.filter(({ value }) => !isSection(value));
  return [
    ...listOf(single, [], schema),
    ...pairs
      .filter(({ value }) => isSection(value))
      .flatMap((pair) => {
        const name = nameOf(pair);
        const inner = isMap(pair.value) ? pair.value.items : [];
        return ['', `### \`${name}\``, '', descriptionAt(schema, [name]), '', ...listOf(inner, [name], schema)];
      }),
  ].join('\n');
}

function listOf(pairs: Pair[], parents: string[], schema: Schema): string[] {
  return pairs.flatMap((pair) => linesOf(pair, parents, schema));
}

/** A map that has lines of its own has an entry for each of them; one in braces, or without comments, is a single value. */
function linesOf(pair: Pair, parents: string[], schema: Schema): string[] {
  const names = [...parents, nameOf(pair)];
  const { value } = pair;
  const [name, meaning] = [code(names.join('.')), descriptionAt(schema, names)];
  if (!isSection(value) || !isMap(value) || !isCommented(value))
    return [`- ${name} (${code(inlineText(value))}): ${meaning}`];
  return [`- ${name}: ${meaning}`, ...value.items.flatMap((child) => linesOf(child, names, schema))];
}

/** The first comment in a map is that of the map. */
function isCommented({ commentBefore, items }: YAMLMap): boolean {
  return Boolean(commentBefore) || items.some(({ key }) => isScalar(key) && Boolean(key.commentBefore));
}

function isSection(value: unknown): boolean {
  return isMap(value) && !value.flow && value.items.length > 0;
}

function inlineText(value: unknown): string {
  const plain = (value as { toJSON(): unknown }).toJSON();
  return typeof plain === 'string' ? plain || "''" : JSON.stringify(plain);
}

/** @throws if the schema does not know the value */
function descriptionAt(schema: Schema, names: string[]): string {
  const found = names.reduce<Schema | undefined>(
    (node, name) => (node?.['properties'] as Record<string, Schema> | undefined)?.[name],
    schema,
  );
  if (!found) throw new Error(`The schema does not have ${names.join('.')}, which stands in values.yaml.`);
  return String(found['description']);
}

function nameOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function code(text: string): string {
  return `\`${text}\``;
}
