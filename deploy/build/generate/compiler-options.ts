import ts from 'typescript';
import tsconfig from '../../../tsconfig.json';
import { ROOT } from '../source-files';

const parsed = new Map<string, ts.SourceFile | undefined>();

/** The settings of tsconfig.json, for a program that is compiled in memory. */
export function compilerOptions(): ts.CompilerOptions {
  const { options } = ts.parseJsonConfigFileContent({ compilerOptions: tsconfig.compilerOptions }, ts.sys, ROOT);
  return { ...options, noEmit: true, incremental: false };
}

/** Programs of this host share the files that are parsed, because parsing takes most of the time of a program. */
export function compilerHost(): ts.CompilerHost {
  const host = ts.createCompilerHost(compilerOptions());
  const parse = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) => {
    if (!parsed.has(file)) parsed.set(file, parse(file, ...rest));
    return parsed.get(file);
  };
  return host;
}
