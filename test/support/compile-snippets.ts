import path from 'node:path';
import ts from 'typescript';
import { compilerHost, compilerOptions } from '../../deploy/build/generate/compiler-options';
import { ROOT } from '../../deploy/build/source-files';

/**
 * The compiler errors of each source, as if it were a file of the repository.
 * They share one program, because most of its time goes into the libraries that all of them import.
 */
export function compileSnippets(sources: string[]): string[][] {
  const snippets = sources.map((source, index) => [path.join(ROOT, `test/snippet-${index}.ts`), source] as const);
  return errorsIn(
    snippets.map(([file]) => file),
    new Map(snippets),
  );
}

/** The compiler errors of some files of the repository, with the contents of other files replaced by `changes`. */
export function compileChanged(files: string[], changes: Record<string, (source: string) => string>): string[] {
  const changed = Object.entries(changes).map(([name, change]) => {
    const file = path.join(ROOT, name);
    return [file, change(ts.sys.readFile(file) ?? '')] as const;
  });
  return errorsIn(
    files.map((file) => path.join(ROOT, file)),
    new Map(changed),
  ).flat();
}

/** The errors in each root of a program that reads some files from `texts`, by their paths, and not from the disk. */
function errorsIn(roots: string[], texts: ReadonlyMap<string, string>): string[][] {
  const host = compilerHost();
  const disk = { ...host };
  host.fileExists = (file) => texts.has(file) || disk.fileExists(file);
  host.getSourceFile = (file, ...rest) => {
    const text = texts.get(path.resolve(file));
    if (text === undefined) return disk.getSourceFile(file, ...rest);
    return ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  };
  const program = ts.createProgram(roots, compilerOptions(), host);
  return roots.map((file) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  );
}
