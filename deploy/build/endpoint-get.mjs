// The templates of `npm run new:endpoint` for a GET route, which returns a list of the account.
import { ACCOUNT_KEY_ADMITTED, ADMIT_IMPORT, scopeTest } from './endpoint-scope.mjs';

/** @returns the new files by path, the example of the API reference, and the body in the gateway's list of routes. */
export function getEndpoint(names) {
  const { context, name, className, files } = names;
  return {
    files: {
      [files.contract]: contract(names),
      [`${files.useCase}.ts`]: useCase(names),
      [`${files.useCase}.spec.ts`]: useCaseSpec(names),
      [`${files.route}.ts`]: routeController(names),
      [`${files.route}.spec.ts`]: routeSpec(names),
    },
    example: {
      imports: `import type { ${className}Answer } from '@kinora/contracts/${context}/${name}.rpc';\n`,
      parts: { 200: { type: `${className}Answer`, value: `{ object: 'list', data: [ID] }` } },
    },
    body: '–',
  };
}

function contract({ className, method, table, words, subject }) {
  return `import { rpc } from '../shared/contract';

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
`;
}

function useCase({ context, name, className }) {
  return `import { Injectable } from '@nestjs/common';
import type { ${className}Answer, ${className}Request } from '@kinora/contracts/${context}/${name}.rpc';

/** The promise in one sentence. */
@Injectable()
export class ${className} {
  async execute(_request: ${className}Request): Promise<${className}Answer> {
    return { object: 'list', data: [] };
  }
}
`;
}

function useCaseSpec({ name, className, words }) {
  return `import { ${className} } from './${name}.query';

describe('${words}', () => {
  it('answers an empty list for an account that has nothing', async () => {
    const answer = await new ${className}().execute({ account_id: '0192f3a0-0000-7000-8000-000000000001' });
    expect(answer).toEqual({ object: 'list', data: [] });
  });
});
`;
}

function routeController({ context, name, route, tag, className, method, table, words, isAdministration }) {
  return `import { Controller, Get } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { type ${className}Answer, ${table} } from '@kinora/contracts/${context}/${name}.rpc';
import { CurrentCaller } from '../http/caller.decorator';${isAdministration ? `\nimport { RoutePolicy } from '../http/route-policy';` : ''}
import { Operation } from '../reference/operation.decorator';

@Controller('${route}')
export class ${className}Controller {
  constructor(private readonly bus: Bus) {}

  @Get()${isAdministration ? `\n  @RoutePolicy({ scope: 'account' })` : ''}
  @Operation({
    operationId: '${method}',
    tag: '${tag}',
    summary: '${words[0].toUpperCase()}${words.slice(1)}',
    description: 'What the caller learns.',
    answers: { 200: 'The list.' },
    errors: ${table}.${method}.errors,
  })
  get(@CurrentCaller() { account_id }: Admission): Promise<${className}Answer> {
    return this.bus.request(${table}.${method}, { account_id });
  }
}
`;
}

function routeSpec({ context, name, route, className, method, table, isAdministration }) {
  return `${isAdministration ? ADMIT_IMPORT : ''}import { type ${className}Answer, ${table} } from '@kinora/contracts/${context}/${name}.rpc';
import { ADMISSION } from '../fixtures/contexts.fixtures';
import { GatewayTestBed } from '../fixtures/gateway.fixtures';

const ANSWER: ${className}Answer = { object: 'list', data: ['019aa00d-5c1e-7b52-8f36-2f1f0e9d6c11'] };

describe('GET /v1/${route}', () => {
  const testBed = new GatewayTestBed();

  beforeAll(() => testBed.start());
  afterAll(() => testBed.close());
  beforeEach(() => ${isAdministration ? ACCOUNT_KEY_ADMITTED : 'testBed.contexts.reset()'});

  it('answers what ${context} answers for the account of the key', async () => {
    testBed.contexts.on(${table}.${method}, () => ANSWER);
    const { status, json } = await testBed.client.send('GET', '/v1/${route}');
    expect([status, json()]).toEqual([200, ANSWER]);
    expect(testBed.contexts.of(${table}.${method})).toEqual([{ account_id: ADMISSION.account_id }]);
  });
${isAdministration ? scopeTest('GET', route) : ''}});
`;
}
