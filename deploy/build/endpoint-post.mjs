// The templates of `npm run new:endpoint` for a POST route, which takes a JSON body.
import { ACCOUNT_KEY_ADMITTED, ADMIT_IMPORT, scopeTest } from './endpoint-scope.mjs';

/** @returns the new files by path, the example of the API reference, and the body in the gateway's list of routes. */
export function postEndpoint(names) {
  const { context, name, className, object, files } = names;
  return {
    files: {
      [files.contract.replace(/\.rpc\.ts$/, '.body.ts')]: bodyClass(names),
      [files.contract]: contract(names),
      [`${files.useCase}.ts`]: useCase(names),
      [`${files.useCase}.spec.ts`]: useCaseSpec(names),
      [`${files.route}.ts`]: routeController(names),
      [`${files.route}.spec.ts`]: routeSpec(names),
    },
    example: {
      imports: `import type { ${className}Body } from '@kinora/contracts/${context}/${name}.body';
import type { ${className}Answer } from '@kinora/contracts/${context}/${name}.rpc';\n`,
      parts: {
        request: { type: `${className}Body`, value: `{ name: 'example' }` },
        200: { type: `${className}Answer`, value: `{ object: '${object}', name: 'example' }` },
      },
    },
    body: 'JSON',
  };
}

function bodyClass({ className, words }) {
  return `import { IsText } from '../shared/field-rules';

/** The body of \`${words}\`. */
export class ${className}Body {
  /** What the caller calls it. */
  @IsText({ min: 1, max: 100 })
  name!: string;
}
`;
}

function contract({ name, className, method, table, words, subject, object }) {
  return `import { rpc } from '../shared/contract';
import type { ${className}Body } from './${name}.body';

export interface ${className}Request {
  account_id: string;
  input: ${className}Body;
}

/** The answer to \`${words}\`. */
export interface ${className}Answer {
  object: '${object}';
  /** As in the request. */
  name: string;
}

export const ${table} = {
  ${method}: rpc<${className}Request, ${className}Answer>('${subject}', { timeoutMs: 5_000, errors: [] }),
} as const;
`;
}

function useCase({ context, name, className, object }) {
  return `import { Injectable } from '@nestjs/common';
import type { ${className}Answer, ${className}Request } from '@kinora/contracts/${context}/${name}.rpc';

/** The promise in one sentence. */
@Injectable()
export class ${className} {
  async execute({ input }: ${className}Request): Promise<${className}Answer> {
    return { object: '${object}', name: input.name };
  }
}
`;
}

function useCaseSpec({ name, className, words, object }) {
  return `import { ${className} } from './${name}.use-case';

describe('${words}', () => {
  it('answers with the name of the request', async () => {
    const account_id = '0192f3a0-0000-7000-8000-000000000001';
    const answer = await new ${className}().execute({ account_id, input: { name: 'example' } });
    expect(answer).toEqual({ object: '${object}', name: 'example' });
  });
});
`;
}

function routeController({ context, name, route, tag, className, method, table, words, isAdministration }) {
  return `import { Body, Controller, HttpCode, HttpStatus, Post } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { ${className}Body } from '@kinora/contracts/${context}/${name}.body';
import { type ${className}Answer, ${table} } from '@kinora/contracts/${context}/${name}.rpc';
import { maxBodyBytes } from '@kinora/contracts/shared/json-size';
import { CurrentCaller } from '../http/caller.decorator';
import { readBodyAs } from '../http/read-fields';
import type { ReceivedBody } from '../http/received-body';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';

@Controller('${route}')
export class ${className}Controller {
  constructor(private readonly bus: Bus) {}

  @Post()
  @HttpCode(HttpStatus.OK)
  @RoutePolicy({ ${isAdministration ? `scope: 'account', ` : ''}takesJson: true, bodyMaxBytes: maxBodyBytes(${className}Body) })
  @Operation({
    operationId: '${method}',
    tag: '${tag}',
    summary: '${words[0].toUpperCase()}${words.slice(1)}',
    description: 'What the call does.',
    body: ${className}Body,
    answers: { 200: 'The result.' },
    errors: ${table}.${method}.errors,
  })
  async post(@CurrentCaller() { account_id }: Admission, @Body() body: ReceivedBody): Promise<${className}Answer> {
    const input = readBodyAs(${className}Body, body.value);
    return this.bus.request(${table}.${method}, { account_id, input });
  }
}
`;
}

function routeSpec({ context, name, route, className, method, table, object, isAdministration }) {
  return `${isAdministration ? ADMIT_IMPORT : ''}import { type ${className}Answer, ${table} } from '@kinora/contracts/${context}/${name}.rpc';
import { ADMISSION } from '../fixtures/contexts.fixtures';
import { GatewayTestBed } from '../fixtures/gateway.fixtures';

const ANSWER: ${className}Answer = { object: '${object}', name: 'example' };

describe('POST /v1/${route}', () => {
  const testBed = new GatewayTestBed();

  beforeAll(() => testBed.start());
  afterAll(() => testBed.close());
  beforeEach(() => ${isAdministration ? ACCOUNT_KEY_ADMITTED : 'testBed.contexts.reset()'});

  it('sends the body with the account of the key to ${context}', async () => {
    testBed.contexts.on(${table}.${method}, () => ANSWER);
    const { status, json } = await testBed.client.send('POST', '/v1/${route}', { json: { name: 'example' } });
    expect([status, json()]).toEqual([200, ANSWER]);
    const { account_id } = ADMISSION;
    expect(testBed.contexts.of(${table}.${method})).toEqual([{ account_id, input: { name: 'example' } }]);
  });
${isAdministration ? scopeTest('POST', route) : ''}
  it.each([
    ['name', { name: '' }],
    ['nmae', { name: 'example', nmae: 'example' }],
  ])('refuses a body with a wrong field and sends no request: %s', async (param, json) => {
    const { status, error } = await testBed.client.send('POST', '/v1/${route}', { json });
    expect([status, error.code, error.param]).toEqual([400, 'invalid_body', param]);
    expect(testBed.contexts.of(${table}.${method})).toEqual([]);
  });
});
`;
}
