import path from 'node:path';
import ts from 'typescript';
import { compilerHost, compilerOptions } from '../../deploy/build/generate/compiler-options';
import { ROOT } from '../../deploy/build/source-files';

/**
 * The compiler errors of each source, as if it were a file of the repository.
 * They share one program, because most of its time goes into the libraries that all of them import.
 */
export function compileSnippets(sources: string[]): string[][] {
  const snippets = new Map(sources.map((source, index) => [path.join(ROOT, `test/snippet-${index}.ts`), source]));
  const options = compilerOptions();
  const host = compilerHost();
  const disk = { ...host };
  host.fileExists = (file) => snippets.has(file) || disk.fileExists(file);
  host.getSourceFile = (file, ...rest) => {
    const snippet = snippets.get(file);
    return snippet === undefined
      ? disk.getSourceFile(file, ...rest)
      : ts.createSourceFile(file, snippet, ts.ScriptTarget.ES2022, true);
  };
  const program = ts.createProgram([...snippets.keys()], options, host);
  return [...snippets.keys()].map((file) => {
    const source = program.getSourceFile(file);
    return ts
      .getPreEmitDiagnostics(program, source)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  });
}

/** The compiler errors of some files of the repository, with the contents of other files replaced by `changes`. */
export function compileChanged(files: string[], changes: Record<string, (source: string) => string>): string[] {
  const changed = new Map(Object.entries(changes).map(([file, change]) => [path.join(ROOT, file), change]));
  const options = compilerOptions();
  const host = compilerHost();
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) => {
    const change = changed.get(path.resolve(file));
    if (!change) return readSource(file, ...rest);
    return ts.createSourceFile(file, change(ts.sys.readFile(file) ?? ''), ts.ScriptTarget.ES2022, true);
  };
  const roots = files.map((file) => path.join(ROOT, file));
  const program = ts.createProgram(roots, options, host);
  return roots
    .flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
