// Generates an endpoint that returns a list of an account, from the gateway's route to the use case of a context: `npm run
// new:endpoint -- billing list-invoices account/invoices`. Its tests pass at once; the content is then filled in.
import { readFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { LAST_IMPORT, ROOT, change, classNameOf, fail, inRoot, variableOf, write } from './scaffold.mjs';

/** The contexts that the gateway may call (test/architecture/dependency-cruiser.cjs), and the tag of their routes. */
const TAGS = { jobs: 'Jobs', billing: 'Account', catalog: 'Models' };
const GATEWAY = 'apps/gateway/src';
const [context = '', name = '', route = ''] = process.argv.slice(2);

if (!Object.hasOwn(TAGS, context)) fail(`The gateway may call ${Object.keys(TAGS).join(', ')}, but not "${context}".`);
if (!/^[a-z]+(-[a-z0-9]+)+$/.test(name))
  fail('The endpoint must be named verb-noun in kebab-case, for example list-invoices.');
if (!/^[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(route))
  fail('The route must have no /v1 and no leading slash, for example account/invoices.');

const className = classNameOf(name);
const method = variableOf(name);
const table = `${method}Rpc`;
const words = name.replaceAll('-', ' ');
const subject = `${context}.v1.${name.replaceAll('-', '_')}`;
const contract = `libs/contracts/src/${context}/${name}.rpc.ts`;
const slice = `apps/${context}/src/use-cases/${name}`;
const useCase = (await usesQueries()) ? 'query' : 'use-case';
const gatewayFolder = `${GATEWAY}/${{ jobs: 'jobs', billing: 'account', catalog: 'catalog' }[context]}`;

for (const file of [contract, slice, `${gatewayFolder}/${name}.controller.ts`])
  if (inRoot(file)) fail(`${file} is there already.`);

await write(
  contract,
  `import { rpc } from '../shared/contract';

export interface ${className}Request {
  account_id: string;
}

/** The answer to \`${words}\`. */
export interface ${className}Answer {
  object: 'list';
  /** The ids, newest first. */
  data: string[];
}

export const ${table} = {
  ${method}: rpc<${className}Request, ${className}Answer>('${subject}', { timeoutMs: 5_000, errors: [] }),
} as const;
`,
);
await write(
  `${slice}/${name}.${useCase}.ts`,
  `import { Injectable } from '@nestjs/common';
import type { ${className}Answer, ${className}Request } from '@kinora/contracts/${context}/${name}.rpc';

/** The promise in one sentence. */
@Injectable()
export class ${className} {
  async execute(_request: ${className}Request): Promise<${className}Answer> {
    return { object: 'list', data: [] };
  }
}
`,
);
await write(
  `${slice}/${name}.${useCase}.spec.ts`,
  `import { ${className} } from './${name}.${useCase}';

describe('${words}', () => {
  it('answers an empty list for an account that has nothing', async () => {
    const answer = await new ${className}().execute({ account_id: '0192f3a0-0000-7000-8000-000000000001' });
    expect(answer).toEqual({ object: 'list', data: [] });
  });
});
`,
);
const contextController = await controllerFolder();
await write(
  `${contextController}/${name}.controller.ts`,
  `import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { type ${className}Answer, type ${className}Request, ${table} } from '@kinora/contracts/${context}/${name}.rpc';
import { ${className} } from '${relative(contextController, `${slice}/${name}.${useCase}`)}';

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
  `apps/${context}/src/${context}.module.ts`,
  [
    LAST_IMPORT,
    `import { ${className}Controller } from '${relative(`apps/${context}/src`, `${contextController}/${name}.controller`)}';
import { ${className} } from './use-cases/${name}/${name}.${useCase}';\n`,
  ],
  [/(controllers: \[)([^\]]*?),?(\s*\])/, `$1$2, ${className}Controller$3`],
  [/(?<=providers: \[)/, `${className}, `],
);
await write(
  `${gatewayFolder}/${name}.controller.ts`,
  `import { Controller, Get } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { type ${className}Answer, ${table} } from '@kinora/contracts/${context}/${name}.rpc';
import { CurrentCaller } from '../http/caller.decorator';
import { Operation } from '../reference/operation.decorator';

@Controller('${route}')
export class ${className}Controller {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Operation({
    operationId: '${method}',
    tag: '${TAGS[context]}',
    summary: '${words[0].toUpperCase()}${words.slice(1)}',
    description: 'What the caller learns.',
    answers: { 200: 'The list.' },
    errors: ${table}.${method}.errors,
  })
  get(@CurrentCaller() { account_id }: Admission): Promise<${className}Answer> {
    return this.bus.request(${table}.${method}, { account_id });
  }
}
`,
);
await write(
  `${gatewayFolder}/${name}.controller.spec.ts`,
  `import { type ${className}Answer, ${table} } from '@kinora/contracts/${context}/${name}.rpc';
import { ADMISSION } from '../fixtures/contexts.fixtures';
import { GatewayTestBed } from '../fixtures/gateway.fixtures';

const ANSWER: ${className}Answer = { object: 'list', data: ['019aa00d-5c1e-7b52-8f36-2f1f0e9d6c11'] };

describe('GET /v1/${route}', () => {
  const stand = new GatewayTestBed();

  beforeAll(() => stand.start());
  afterAll(() => stand.close());
  beforeEach(() => stand.contexts.reset());

  it('answers what ${context} answers for the account of the key', async () => {
    stand.contexts.on(${table}.${method}, () => ANSWER);
    const { status, json } = await stand.client.send('GET', '/v1/${route}');
    expect([status, json()]).toEqual([200, ANSWER]);
    expect(stand.contexts.of(${table}.${method})).toEqual([{ account_id: ADMISSION.account_id }]);
  });
});
`,
);
await change(
  `${GATEWAY}/gateway.module.ts`,
  [
    LAST_IMPORT,
    `import { ${className}Controller } from '${relative(GATEWAY, `${gatewayFolder}/${name}.controller`)}';\n`,
  ],
  [/(controllers: \[)([^\]]*?),?(\s*\])/, `$1$2, ${className}Controller$3`],
);
await change(
  `${GATEWAY}/fixtures/contexts.fixtures.ts`,
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
await change(
  'deploy/build/generate/openapi/examples.ts',
  [LAST_IMPORT, `import type { ${className}Answer } from '@kinora/contracts/${context}/${name}.rpc';\n`],
  [
    /(?=\n\/\*\* Examples of requests and answers)/,
    `\nconst ${constant()}: ${className}Answer = { object: 'list', data: [ID] };\n`,
  ],
  [/(?=    ping: \{)/, `    ${method}: { 200: ${constant()} },\n`],
);
await change('apps/gateway/README.md', [
  /(?=\| `GET \/v1\/ping`)/,
  `| \`GET /v1/${route}\` | yes | – | \`${subject}\` |\n`,
]);
generate();
console.log(
  `Next: define the answer in ${contract} and ${slice}, and its description in ${gatewayFolder}/${name}.controller.ts.`,
);

function constant() {
  return name.replaceAll('-', '_').toUpperCase();
}

function relative(folder, file) {
  const way = path.posix.relative(folder, file);
  return way.startsWith('.') ? way : `./${way}`;
}

/** The folder of the context's controllers: the new one goes beside the existing one. */
async function controllerFolder() {
  const module = await readFile(path.join(ROOT, `apps/${context}/src/${context}.module.ts`), 'utf8');
  const [, file = './'] = /from '(\.\/[^']*)\.controller'/.exec(module) ?? [];
  return path.posix.join(`apps/${context}/src`, path.posix.dirname(file));
}

/** Whether reads of the context are named .query.ts. */
async function usesQueries() {
  const module = await readFile(path.join(ROOT, `apps/${context}/src/${context}.module.ts`), 'utf8');
  return /\.query'/.test(module) && !/\/(get|list|show|find)-[a-z-]+\.use-case'/.test(module);
}

/** Regenerates what depends on the code: the golden schemas, the reference, the broker's users, the map of the contexts. */
function generate() {
  const kinds = ['contracts', 'openapi', 'broker', 'architecture', '--write'];
  const args = ['-r', './test/typescript.cjs', 'deploy/build/generate/generate.ts', ...kinds];
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) fail('The generated files could not be written: fix the errors above, then run npm run generate.');
}
