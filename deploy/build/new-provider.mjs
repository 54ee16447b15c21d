// Generates an adapter for compute backends: `npm run new:provider -- acme`. It is a copy of the simplest one, so it passes the
// whole conformance kit at once. It is then changed for the protocol of another backend.
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PROVIDERS = path.join(ROOT, 'libs/compute/src');
const PATTERN = path.join(PROVIDERS, 'sandbox');
const LIST = path.join(PROVIDERS, 'provider-types.ts');
const [name = ''] = process.argv.slice(2);

if (!/^[a-z]+[a-z0-9]*(-[a-z0-9]+)*$/.test(name)) fail('The adapter must be named in kebab-case, for example acme.');
const folder = path.join(PROVIDERS, name);
if (existsSync(folder)) fail(`${path.relative(ROOT, folder)} is there already.`);

const className = name.replaceAll(/(^|-)([a-z0-9])/g, (_, __, letter) => letter.toUpperCase());
const variable = `${className[0].toLowerCase()}${className.slice(1)}Type`;
await mkdir(folder);
for (const file of await readdir(PATTERN)) {
  const target = path.join(folder, rename(file));
  await writeFile(target, translate(await readFile(path.join(PATTERN, file), 'utf8')));
  console.log(path.relative(ROOT, target));
}
await register();
console.log(`Next: libs/compute/README.md, "A provider in a day".`);

function rename(file) {
  return file.replaceAll('sandbox', name);
}

/** Replaces the parts of the copy that are true of the sandbox only. */
function translate(source) {
  return source
    .replaceAll('sandboxType', variable)
    .replaceAll('Sandbox', className)
    .replaceAll('apps/sandbox', 'its backend')
    .replaceAll('sandbox', name)
    .replaceAll("provenance = 'algorithmicMedia'", "provenance = 'trainedAlgorithmicMedia'");
}

async function register() {
  const list = await readFile(LIST, 'utf8');
  const withImport = list.replace(
    "import type { ProviderType } from './provider-type';",
    (line) => `import { ${variable} } from './${name}/${name}-type';\n${line}`,
  );
  await writeFile(LIST, withImport.replace(/(= \[\s*)sandboxType,(\s*)/, `$1sandboxType,$2${variable},$2`));
  console.log(path.relative(ROOT, LIST));
}

function fail(reason) {
  console.error(reason);
  process.exit(1);
}
