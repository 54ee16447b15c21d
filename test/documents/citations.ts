import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, sourceFiles } from '../../deploy/build/source-files';

/** The names that code may cite: sections of docs/decisions.md, and operations, schemas and fields of the OpenAPI document. */
export interface Citable {
  decisions: ReadonlySet<string>;
  API: ReadonlySet<string>;
}

interface ApiDocument {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
}

const FOLDERS = ['apps', 'libs', 'deploy', 'test'];
/** Excluded, because its fixtures are wrong citations. */
const FIXTURES = 'test/documents/citations.spec.ts';
const CITATION = /\((decisions|API): ([^()]+)\)/g;
/** The forms in which comments cite a document that is not in this repository. */
const ELSEWHERE = /\b(?:Interface|Spec|Decisions)[,:] \S+|\bdecisions, "[^"]*"|\b[Tt]he specification(?! of)\b/g;
const NEXT_LINE = /\n\s*(?:\*(?!\/)|\/\/) ?/g;
const COMMENT = /\/\*\*?.*?\*\/|\/\/.*$/gms;

/** The files that may hold citations, as paths from the root. */
export function citingFiles(): string[] {
  const files = FOLDERS.flatMap((folder) => sourceFiles(folder, /\.(?:ts|mjs|cjs|sql|yaml|md)$/));
  return files.filter((file) => file !== FIXTURES);
}

export function readCitable(): Citable {
  const page = readFileSync(path.join(ROOT, 'docs/decisions.md'), 'utf8');
  const api = JSON.parse(readFileSync(path.join(ROOT, 'apps/gateway/openapi.json'), 'utf8')) as ApiDocument;
  const operations = Object.entries(api.paths).flatMap(([route, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${route}`),
  );
  const schemas = Object.entries(api.components.schemas).flatMap(([name, { properties = {} }]) => [
    name,
    ...Object.keys(properties).map((field) => `${name}.${field}`),
  ]);
  return {
    decisions: new Set([...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title)),
    API: new Set([...operations, ...schemas]),
  };
}

/** The number of citations in a text, and those whose target does not exist. */
export function checkCitations(text: string, citable: Citable): { count: number; wrong: string[] } {
  const joined = text.replace(NEXT_LINE, ' ');
  const citations = [...joined.matchAll(CITATION)];
  const unknown = citations.filter(([, kind, name = '']) => !citable[kind as keyof Citable].has(name));
  const elsewhere = (text.match(COMMENT) ?? []).flatMap((comment) => comment.match(ELSEWHERE) ?? []);
  return { count: citations.length, wrong: [...unknown.map(([citation]) => citation), ...elsewhere] };
}
