// Generates the files of a new slice: `npm run new:use-case -- jobs cancel-job`.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const [app = '', name = ''] = process.argv.slice(2);

if (!/^[a-z]+(-[a-z]+)+$/.test(name))
  fail('The use case must be named verb-noun in kebab-case, for example cancel-job.');
if (app === '' || !existsSync(path.join(ROOT, 'apps', app))) fail(`There is no app "${app}".`);
const folder = path.join('apps', app, 'src/use-cases', name);
if (existsSync(path.join(ROOT, folder))) fail(`${folder} is there already.`);

const className = name.replaceAll(/(^|-)([a-z])/g, (_, __, letter) => letter.toUpperCase());
const words = name.replaceAll('-', ' ');
await mkdir(path.join(ROOT, folder), { recursive: true });
await write(`${name}.use-case.ts`, useCase());
await write(`${name}.use-case.spec.ts`, spec());
console.log(
  `Next: provide ${className} in ${app}.module.ts, and call it from the handler of its contract in ${app}.controller.ts.`,
);

function useCase() {
  return `import { Injectable } from '@nestjs/common';

/** The promise in one sentence. */
@Injectable()
export class ${className} {
  async execute(): Promise<void> {}
}
`;
}

function spec() {
  return `import { ${className} } from './${name}.use-case';

describe('${words}', () => {
  it('states a behaviour', async () => {
    await expect(new ${className}().execute()).rejects.toThrow('Not written yet.');
  });
});
`;
}

async function write(file, text) {
  await writeFile(path.join(ROOT, folder, file), text);
  console.log(path.join(folder, file));
}

function fail(reason) {
  console.error(reason);
  process.exit(1);
}
