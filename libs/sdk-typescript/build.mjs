// Compiles the library into dist/esm and dist/cjs, each with its types. `npm pack` runs it first.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = import.meta.dirname;
const FORMATS = {
  esm: { module: ts.ModuleKind.ES2022, type: 'module' },
  cjs: { module: ts.ModuleKind.CommonJS, type: 'commonjs' },
};

const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.build.json'), (file) => ts.sys.readFile(file));
const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
rmSync(path.join(ROOT, 'dist'), { recursive: true, force: true });
for (const [format, { module, type }] of Object.entries(FORMATS)) {
  const outDir = path.join(ROOT, 'dist', format);
  const moduleResolution = ts.ModuleResolutionKind.Bundler;
  const overrides =
    format === 'esm'
      ? { moduleResolution }
      : { moduleResolution: ts.ModuleResolutionKind.Node10, esModuleInterop: true };
  const program = ts.createProgram(fileNames, { ...options, ...overrides, module, outDir });
  const problems = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  if (problems.length > 0) {
    console.error(ts.formatDiagnosticsWithColorAndContext(problems, ts.createCompilerHost(options)));
    process.exit(1);
  }
  writeFileSync(path.join(outDir, 'package.json'), `${JSON.stringify({ type })}\n`);
  for (const file of readdirSync(outDir).filter((name) => /\.(js|d\.ts)$/.test(name))) {
    const text = readFileSync(path.join(outDir, file), 'utf8');
    // Node resolves an import of an ES module as it is written; the sources leave the ending out, as the repository does.
    const complete = text.replaceAll(/((?:from|import\()\s*['"]\.\/[\w./-]+?)(?:\.js)?(['"])/g, '$1.js$2');
    writeFileSync(path.join(outDir, file), complete);
  }
}
