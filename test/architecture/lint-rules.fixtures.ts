/** A file that the rule refuses, and a similar file that it allows. */
export interface LintFixture {
  rule: string;
  because: string;
  refused: Source;
  allowed: Source;
}

interface Source {
  file: string;
  source: string;
}

const anywhere = (source: string): Source => ({ file: 'apps/jobs/src/job/job-status.ts', source });
const inSpec = (source: string): Source => ({ file: 'apps/jobs/src/job/job-status.spec.ts', source });
const lines = (count: number, line: string) => Array.from({ length: count }, () => `${line}\n`).join('');

const NEST = '@nestjs/common';

const RESTRICTED_IMPORTS: LintFixture[] = [
  {
    rule: 'no-restricted-imports',
    because: 'a handler outside the bus has no contract',
    refused: anywhere(`export { MessagePattern } from '@nestjs/microservices';`),
    allowed: {
      file: 'libs/bus/src/handles.decorator.ts',
      source: `export { MessagePattern } from '@nestjs/microservices';`,
    },
  },
  {
    rule: 'no-restricted-imports',
    because: 'a listener outside the bus has no contract',
    refused: anywhere(`export { EventPattern } from '@nestjs/microservices';`),
    allowed: anywhere(`export { Payload } from '@nestjs/microservices';`),
  },
  {
    rule: 'no-restricted-imports',
    because: 'a client outside the bus names subjects',
    refused: anywhere(`import type { ClientProxy } from '@nestjs/microservices';\nexport type Client = ClientProxy;`),
    allowed: { file: 'libs/bus/src/bus.ts', source: `export { ClientProxy } from '@nestjs/microservices';` },
  },
  {
    rule: 'no-restricted-imports',
    because: 'an HttpException loses its payload on NATS',
    refused: anywhere(`export { NotFoundException } from '${NEST}';`),
    allowed: { file: 'apps/gateway/src/http/api-error.filter.ts', source: `export { HttpException } from '${NEST}';` },
  },
  {
    rule: 'no-restricted-imports',
    because: 'the gateway must not have a provider cycle either',
    refused: { file: 'apps/gateway/src/gateway.module.ts', source: `export { forwardRef } from '${NEST}';` },
    allowed: { file: 'apps/gateway/src/gateway.module.ts', source: `export { Module } from '${NEST}';` },
  },
  {
    rule: 'no-restricted-imports',
    because: 'the bus must not have a provider cycle either',
    refused: { file: 'libs/bus/src/bus.module.ts', source: `export { forwardRef } from '${NEST}';` },
    allowed: { file: 'libs/bus/src/bus.module.ts', source: `export { Module } from '${NEST}';` },
  },
  {
    rule: 'no-restricted-imports',
    because: 'a setting that no config class declares is not validated',
    refused: anywhere(`export { env } from 'node:process';`),
    allowed: { file: 'apps/jobs/src/jobs.config.ts', source: `export { env } from 'node:process';` },
  },
];

const DECISION = 'export type PassedDecisionId = string & { readonly passed: true };\n';
const CLAIM = `${DECISION}export const idOf = (row: { id: string }) => row.id as PassedDecisionId;`;

const LINKS = `import type { DownloadLinks } from '@kinora/object-store';\nexport type Links = DownloadLinks;`;

const GATE: LintFixture[] = [
  {
    rule: 'kinora/no-restricted-syntax',
    because: 'only the moderation gate creates the proof of a decision',
    refused: anywhere(CLAIM),
    allowed: { file: 'apps/moderation/src/decision/decision.repository.ts', source: CLAIM },
  },
  {
    rule: 'kinora/no-restricted-syntax',
    because: 'only outputs that have passed get a link',
    refused: anywhere(LINKS),
    allowed: {
      file: 'apps/jobs/src/job/job.view.ts',
      source: LINKS,
    },
  },
];

const RESTRICTED_CODE: LintFixture[] = [
  {
    rule: 'no-restricted-properties',
    because: 'a setting that no config class declares is not validated',
    refused: anywhere(`export const level = process.env['LOG_LEVEL'];`),
    allowed: { file: 'apps/jobs/src/main.ts', source: `export const level = process.env['LOG_LEVEL'];` },
  },
  {
    rule: 'no-restricted-properties',
    because: 'URL.canParse may refuse what is a URL',
    refused: anywhere(`export const isUrl = (text: string): boolean => URL.canParse(text);`),
    allowed: anywhere(`export const urlOf = (text: string): URL => new URL(text);`),
  },
  {
    rule: 'no-restricted-properties',
    because: 'every test runs',
    refused: inSpec(`it.skip('ends', () => expect(1).toBe(1));`),
    allowed: inSpec(`it('ends', () => expect(1).toBe(1));`),
  },
  {
    rule: 'no-restricted-properties',
    because: 'a focused test hides all others',
    refused: inSpec(`describe.only('job status', () => it('ends', () => expect(1).toBe(1)));`),
    allowed: inSpec(`describe('job status', () => it('ends', () => expect(1).toBe(1)));`),
  },
  {
    rule: 'kinora/no-restricted-syntax',
    because: 'an index lists its names',
    refused: anywhere(`export * from '${NEST}';`),
    allowed: anywhere(`export { Module } from '${NEST}';`),
  },
  {
    rule: 'kinora/no-restricted-syntax',
    because: 'a test that sleeps is slow, or fails at random',
    refused: inSpec(`it('ends', async () => { await new Promise((resolve) => setTimeout(resolve, 50)); });`),
    allowed: inSpec(`it('ends', async () => { await new Promise((resolve) => process.once('exit', resolve)); });`),
  },
  {
    rule: 'kinora/no-restricted-syntax',
    because: 'a test that sleeps through another timer',
    refused: inSpec(`import { setTimeout as delay } from 'node:timers/promises';\nit('ends', () => delay(50));`),
    allowed: inSpec(`import { once } from 'node:events';\nit('ends', () => once(process, 'exit'));`),
  },
  {
    rule: 'no-console',
    because: 'the logger redacts, the console does not',
    refused: anywhere(`console.log('started');`),
    allowed: { file: 'apps/cli/src/print.ts', source: `console.log('started');` },
  },
  {
    rule: 'no-warning-comments',
    because: 'open work belongs in an issue, not in a comment',
    refused: anywhere('// TODO: think.\nexport const limit = 1;'),
    allowed: anywhere('// One is enough.\nexport const limit = 1;'),
  },
  {
    rule: 'eqeqeq',
    because: 'a loose comparison converts types silently',
    refused: anywhere(`export const isOne = (text: string | null) => text == '1';`),
    allowed: anywhere(`export const isOne = (text: string | null) => text === '1';`),
  },
];

const SIZES: LintFixture[] = [
  {
    rule: 'max-lines',
    because: 'a file has one reason to exist, and at most 300 lines',
    refused: anywhere(lines(301, 'export {};')),
    allowed: anywhere(lines(300, 'export {};')),
  },
  {
    rule: 'max-lines-per-function',
    because: 'a function has at most 70 lines',
    refused: anywhere(`export function act(): void {\n${lines(69, '  JSON.stringify(1);')}}\n`),
    allowed: anywhere(`export function act(): void {\n${lines(68, '  JSON.stringify(1);')}}\n`),
  },
  {
    rule: 'max-params',
    because: 'a class with eight dependencies is two classes',
    refused: anywhere(`export class Act { constructor(${parameters(8)}) {} }`),
    allowed: anywhere(`export class Act { constructor(${parameters(7)}) {} }`),
  },
];

const TYPED: LintFixture[] = [
  {
    rule: 'typescript/no-floating-promises',
    because: 'a rejection without a handler ends the process',
    refused: anywhere(`export function act(): void { Promise.resolve(1); }`),
    allowed: anywhere(`export async function act(): Promise<void> { await Promise.resolve(1); }`),
  },
  {
    rule: 'typescript/switch-exhaustiveness-check',
    because: 'each switch handles a new status, also with a default',
    refused: anywhere(switchOver(`case 'queued': return 1; default: return 2;`)),
    allowed: anywhere(switchOver(`case 'queued': return 1; case 'canceled': return 2;`)),
  },
  {
    rule: 'typescript/no-explicit-any',
    because: 'any disables type checking',
    refused: anywhere('export const read = (value: any): unknown => value as unknown;'),
    allowed: anywhere('export const read = (value: unknown): unknown => value;'),
  },
  {
    rule: 'typescript/no-unsafe-assignment',
    because: 'an any from a library must not spread',
    refused: anywhere(`export const body: string[] = JSON.parse('[]');`),
    allowed: anywhere(`export const body = JSON.parse('[]') as string[];`),
  },
  {
    rule: 'typescript/ban-ts-comment',
    because: 'an ignored error hides a defect',
    refused: anywhere('// @ts-ignore It is fine.\nexport const limit = 1;'),
    allowed: anywhere('// It is fine.\nexport const limit = 1;'),
  },
  {
    rule: 'no-unused-vars',
    because: 'unused code still costs reading time',
    refused: anywhere(`import { Module } from '${NEST}';\nexport const limit = 1;`),
    allowed: anywhere('export const limit = 1;'),
  },
  {
    rule: 'typescript/no-floating-promises',
    because: 'a comment cannot disable a rule',
    refused: anywhere(
      '// eslint-disable-next-line typescript/no-floating-promises\nexport const act = (): void => { Promise.resolve(1); };',
    ),
    allowed: anywhere('export const act = async (): Promise<void> => { await Promise.resolve(1); };'),
  },
];

export const LINT_FIXTURES: LintFixture[] = [...RESTRICTED_IMPORTS, ...GATE, ...RESTRICTED_CODE, ...SIZES, ...TYPED];

function parameters(count: number): string {
  return Array.from({ length: count }, (_, index) => `readonly part${index}: string`).join(', ');
}

function switchOver(cases: string): string {
  return `export function rank(status: 'queued' | 'canceled'): number { switch (status) { ${cases} } }`;
}
