import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, sourceFiles } from '../../deploy/build/source-files';
import { readReference } from '../support/published-reference';

/** `(decisions: …)` and `(API: …)`. */
const CITATION = /\((decisions|API): ([^()]+)\)/g;
/** A citation may go on in the next line of its comment. */
const NEXT_LINE = /\n\s*(?:\*(?!\/)|\/\/) ?/g;

function readCitable(): Set<string> {
  const page = readFileSync(path.join(ROOT, 'docs/decisions.md'), 'utf8');
  const { paths, components } = readReference();
  const operations = Object.entries(paths).flatMap(([route, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${route}`),
  );
  const schemas = Object.entries(components.schemas).flatMap(([name, { properties = {} }]) => [
    name,
    ...Object.keys(properties as object).map((field) => `${name}.${field}`),
  ]);
  return new Set([
    ...[...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) => `(decisions: ${title})`),
    ...[...operations, ...schemas].map((name) => `(API: ${name})`),
  ]);
}

it('citations in code name a section of docs/decisions.md, or a part of the OpenAPI document', () => {
  const citable = readCitable();
  const files = ['apps', 'libs', 'deploy', 'test'].flatMap((folder) =>
    sourceFiles(folder, /\.(ts|mjs|cjs|sql|yaml|md)$/),
  );
  const cited = files
    .filter((file) => path.join(ROOT, file) !== __filename)
    .flatMap((file) => {
      const text = readFileSync(path.join(ROOT, file), 'utf8').replace(NEXT_LINE, ' ');
      return [...text.matchAll(CITATION)].map(([citation]) => ({ file, citation }));
    });
  expect(cited.length).toBeGreaterThan(60);
  expect(cited.filter(({ citation }) => !citable.has(citation))).toEqual([]);
});
