import ts from 'typescript';
import tsconfig from '../../../tsconfig.json';
import { ROOT } from '../source-files';

/** The settings of tsconfig.json, for a program that is compiled in memory. */
export function compilerOptions(): ts.CompilerOptions {
  const { options } = ts.parseJsonConfigFileContent({ compilerOptions: tsconfig.compilerOptions }, ts.sys, ROOT);
  return { ...options, noEmit: true, incremental: false };
}
