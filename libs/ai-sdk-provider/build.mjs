// Bundles the library into dist/index.cjs and writes its types. `npm pack` runs it first.
import path from 'node:path';
import { build } from 'rolldown';
import ts from 'typescript';

const ROOT = import.meta.dirname;
const DIST = path.join(ROOT, 'dist');
const input = path.join(ROOT, 'src/index.ts');
const external = ['@ai-sdk/provider', '@kinora/client'];

await build({ input, external, output: { file: path.join(DIST, 'index.cjs'), format: 'cjs' }, logLevel: 'warn' });

const { config } = ts.readConfigFile(path.resolve(ROOT, '../../tsconfig.json'), (file) => ts.sys.readFile(file));
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, path.resolve(ROOT, '../..'));
const declarations = {
  noEmit: false,
  declaration: true,
  emitDeclarationOnly: true,
  incremental: false,
  rootDir: undefined,
};
const program = ts.createProgram([input], { ...options, ...declarations, outDir: DIST, tsBuildInfoFile: undefined });
const emitted = program.emit(undefined, (file, text) => {
  if (file.includes(`ai-sdk-provider${path.sep}src`)) ts.sys.writeFile(path.join(DIST, path.basename(file)), text);
});
if (emitted.diagnostics.length > 0) {
  console.error(ts.formatDiagnostics(emitted.diagnostics, ts.createCompilerHost(options)));
  process.exit(1);
}
