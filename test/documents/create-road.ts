import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from '../../deploy/build/source-files';

/** Folders whose files belong to the path of a create; the other folders are machinery. */
const STORY = [
  'apps/gateway/src/jobs',
  'libs/contracts/src/jobs',
  'apps/jobs/src/job',
  'apps/jobs/src/intake/use-cases/create-job',
];

/** The section of the architecture page that lists the path. */
export function roadSection(): { files: string[]; text: string } {
  const page = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8');
  const text = /^## The road of a create\n(?<text>.*?)^## /ms.exec(page)?.groups?.['text'] ?? '';
  const files = [...text.matchAll(/^\| \d+ .*?\]\(\.\.\/(?<file>[^)]+)\)/gm)].map((row) => row.groups?.['file'] ?? '');
  return { files, text };
}

/** The files that a file imports, as paths from the root, in the order of its imports. */
export function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(path.join(ROOT, file), 'utf8'));
  return importedFiles.flatMap(({ fileName }) => {
    if (fileName.startsWith('.')) return [`${path.join(path.dirname(file), fileName)}.ts`];
    const contract = /^@kinora\/contracts\/(?<rest>.+)$/.exec(fileName)?.groups?.['rest'];
    return contract === undefined ? [] : [`libs/contracts/src/${contract}.ts`];
  });
}

/** The names that a file exports. */
export function exportedNames(file: string): string[] {
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  return [...source.matchAll(/^export (?:abstract )?(?:class|interface|type|function|const) (?<name>\w+)/gm)].map(
    (match) => match.groups?.['name'] ?? '',
  );
}

export function isOfStory(file: string): boolean {
  return STORY.includes(path.dirname(file));
}
