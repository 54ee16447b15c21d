// Generates an endpoint, from the gateway's route to the use case of a context. The verb decides the method: `npm run new:endpoint --
// billing list-invoices account/invoices` makes a GET route, `billing create-invoice account/invoices` a POST route with a body. The
// generated specs pass at once; the content is then filled in.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { getEndpoint } from './endpoint-get.mjs';
import { postEndpoint } from './endpoint-post.mjs';
import { LAST_IMPORT, ROOT, change, classNameOf, fail, inRoot, variableOf, write } from './scaffold.mjs';

const require = createRequire(import.meta.url);
require('../../test/typescript.cjs');
const { READING } = require('../../test/architecture/layout.ts');
const { ADMINISTRATION } = require('./generate/openapi/api-routes.ts');

/** The contexts that the gateway may call (test/architecture/dependency-cruiser.cjs), and the tag of their routes. */
const TAGS = { jobs: 'Jobs', billing: 'Account', catalog: 'Catalog' };
const GATEWAY = 'apps/gateway/src';
const [context = '', name = '', route = ''] = process.argv.slice(2);

if (!Object.hasOwn(TAGS, context)) fail(`The gateway may call ${Object.keys(TAGS).join(', ')}, but not "${context}".`);
if (!/^[a-z]+(-[a-z0-9]+)+$/.test(name))
  fail('The endpoint must be named verb-noun in kebab-case, for example list-invoices.');
if (!/^[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(route))
  fail('The route must have no /v1 and no leading slash, for example account/invoices.');

const isRead = READING.test(name);
/** Such a route must state the scope that its key needs. */
const isAdministration = ADMINISTRATION.test(`/${route}`);
const className = classNameOf(name);
const method = variableOf(name);
const table = `${method}Rpc`;
const subject = `${context}.v1.${name.replaceAll('-', '_')}`;
const contextFolder = `apps/${context}/src`;
const slice = `use-cases/${name}/${name}.${isRead ? 'query' : 'use-case'}`;
const gatewayFolder = { jobs: 'jobs', billing: 'account', catalog: 'catalog' }[context];
/** Paths without their ending, except for the contract. */
const files = {
  contract: `libs/contracts/src/${context}/${name}.rpc.ts`,
  useCase: `${contextFolder}/${slice}`,
  route: `${GATEWAY}/${gatewayFolder}/${name}.controller`,
};
for (const file of [files.contract, path.posix.dirname(files.useCase), `${files.route}.ts`])
  if (inRoot(file)) fail(`${file} is there already.`);

const endpoint = (isRead ? getEndpoint : postEndpoint)({
  context,
  name,
  route,
  className,
  method,
  table,
  subject,
  files,
  tag: TAGS[context],
  isAdministration,
  words: name.replaceAll('-', ' '),
  // The type of the answer: `create-invoice` makes an `invoice`.
  object: name.replace(/^[a-z]+-/, '').replaceAll('-', '_'),
});
for (const [file, source] of Object.entries(endpoint.files)) await write(file, source);
await write(
  `${contextFolder}/${name}.controller.ts`,
  `import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { type ${className}Answer, type ${className}Request, ${table} } from '@kinora/contracts/${context}/${name}.rpc';
import { ${className} } from './${slice}';

@Controller()
export class ${className}Controller {
  constructor(private readonly ${method}UseCase: ${className}) {}

  @Handles(${table}.${method})
  ${method}(request: ${className}Request): Promise<${className}Answer> {
    return this.${method}UseCase.execute(request);
  }
}
`,
);
await change(
  `${contextFolder}/${context}.module.ts`,
  [
    LAST_IMPORT,
    `import { ${className}Controller } from './${name}.controller';
import { ${className} } from './${slice}';\n`,
  ],
  // The list of controllers, also where it has a name.
  [/((?:controllers: |CONTROLLERS = )\[)([^\]]*?),?(\s*\])/, `$1$2, ${className}Controller$3`],
  [/(?<=providers: \[)/, `${className}, `],
);
await change(
  `${GATEWAY}/gateway.module.ts`,
  [LAST_IMPORT, `import { ${className}Controller } from './${gatewayFolder}/${name}.controller';\n`],
  [/(controllers: \[)([^\]]*?),?(\s*\])/, `$1$2, ${className}Controller$3`],
);
await change(
  `${GATEWAY}/fixtures/fake-contexts.fixtures.ts`,
  [
    LAST_IMPORT,
    `import { type ${className}Answer, type ${className}Request, ${table} } from '@kinora/contracts/${context}/${name}.rpc';\n`,
  ],
  [
    /(?<=class FakeContextsController \{\n.*\n)/,
    `
  @Handles(${table}.${method})
  ${method}(request: ${className}Request): Promise<${className}Answer> {
    return this.contexts.answer(${table}.${method}, request);
  }
`,
  ],
);
await addExamples();
await change('apps/gateway/README.md', [
  /(?=\| `GET \/v1\/ping`)/,
  `| \`${isRead ? 'GET' : 'POST'} /v1/${route}\` | yes${isAdministration ? ', \`account\`' : ''} | ${endpoint.body} | \`${subject}\` |\n`,
]);
generate();
const filled = Object.keys(endpoint.files).filter((file) => !file.endsWith('.spec.ts'));
console.log(`Next: fill in the content of ${filled.join(', ')}.`);

/** Adds one constant for each example, so that the compiler compares it with its type. */
function addExamples() {
  const { imports, parts } = endpoint.example;
  const constantOf = (part) => `${name.replaceAll('-', '_').toUpperCase()}${part === 'request' ? '_REQUEST' : ''}`;
  const constants = Object.entries(parts).map(
    ([part, { type, value }]) => `\nconst ${constantOf(part)}: ${type} = ${value};\n`,
  );
  const entries = Object.keys(parts).map((part) => `${part}: ${constantOf(part)}`);
  return change(
    'deploy/build/generate/openapi/examples.ts',
    [LAST_IMPORT, imports],
    [/(?=\n\/\*\* Examples of requests and answers)/, constants.join('')],
    [/(?=    ping: \{)/, `    ${method}: { ${entries.join(', ')} },\n`],
  );
}

/** Regenerates what depends on the code: the golden schemas, the reference, the broker's users, the map of the contexts. */
function generate() {
  const kinds = ['contracts', 'openapi', 'clients', 'python', 'broker', 'architecture', '--write'];
  const args = ['-r', './test/typescript.cjs', 'deploy/build/generate/generate.ts', ...kinds];
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) fail('The generated files could not be written: fix the errors above, then run npm run generate.');
}
