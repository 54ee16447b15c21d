/** A rule, why it is there, and the file and source that it refuses. */
export type LintFixture = [rule: string, because: string, file: string, source: string];

const FILE = 'apps/jobs/src/job/job-status.ts';
const SPEC = 'apps/jobs/src/job/job-status.spec.ts';

const IMPORTS = 'no-restricted-imports';
const PROPERTIES = 'no-restricted-properties';
const SYNTAX = 'kinora/no-restricted-syntax';
const FLOATING = 'typescript/no-floating-promises';

const handler = `export { MessagePattern } from '@nestjs/microservices';`;
const client = `import type { ClientProxy } from '@nestjs/microservices';\nexport type Client = ClientProxy;`;
const exception = `export { HttpException } from '@nestjs/common';`;
const cycle = `export { forwardRef } from '@nestjs/common';`;
const env = `export { env } from 'node:process';`;
const level = `export const level = process.env['LOG_LEVEL'];`;
const claim = `export type PassedDecisionId = string & { readonly passed: true };
export const idOf = (row: { id: string }) => row.id as PassedDecisionId;`;
const links = `import type { DownloadLinks } from '@kinora/object-store';\nexport type Links = DownloadLinks;`;
const sleep = `it('ends', async () => { await new Promise((resolve) => setTimeout(resolve, 50)); });`;
const delay = `import { setTimeout as delay } from 'node:timers/promises';\nit('ends', () => delay(50));`;

export const REFUSED: LintFixture[] = [
  [IMPORTS, 'a handler outside the bus has no contract', FILE, handler],
  [IMPORTS, 'a listener has none either', FILE, `export { EventPattern } from '@nestjs/microservices';`],
  [IMPORTS, 'a client outside the bus names subjects', FILE, client],
  [IMPORTS, 'an HttpException loses its payload on NATS', FILE, exception],
  [IMPORTS, 'the gateway must not have a provider cycle', 'apps/gateway/src/gateway.module.ts', cycle],
  [IMPORTS, 'the bus must not have a provider cycle', 'libs/bus/src/bus.module.ts', cycle],
  [IMPORTS, 'a setting that no config class declares is not validated', FILE, env],
  [PROPERTIES, 'a setting that no config class declares is not validated', FILE, level],
  [PROPERTIES, 'URL.canParse may refuse what is a URL', FILE, `export const isUrl = URL.canParse('http://a');`],
  [PROPERTIES, 'every test runs', SPEC, `it.skip('ends', () => expect(1).toBe(1));`],
  [PROPERTIES, 'a focused test hides all others', SPEC, `describe.only('a', () => it('b', () => expect(1).toBe(1)));`],
  [SYNTAX, 'only the moderation gate creates the proof of a decision', FILE, claim],
  [SYNTAX, 'only outputs that have passed get a link', FILE, links],
  [SYNTAX, 'an index lists its names', FILE, `export * from '@nestjs/common';`],
  [SYNTAX, 'a test that sleeps is slow, or fails at random', SPEC, sleep],
  [SYNTAX, 'a test that sleeps through another timer', SPEC, delay],
  ['no-console', 'the logger redacts, the console does not', FILE, `console.log('started');`],
  [FLOATING, 'a rejection without a handler ends the process', FILE, 'export const act = () => { fetch("a"); };'],
  [
    FLOATING,
    'a comment cannot disable a rule',
    FILE,
    `// eslint-disable-next-line ${FLOATING}\nexport const act = () => { fetch("a"); };`,
  ],
];

/** What is refused elsewhere, where it belongs. */
export const ALLOWED: [file: string, source: string][] = [
  ['libs/bus/src/handles.decorator.ts', handler],
  ['libs/bus/src/bus.ts', client],
  ['apps/gateway/src/http/api-error.filter.ts', exception],
  ['apps/jobs/src/jobs.config.ts', env],
  ['apps/jobs/src/main.ts', level],
  ['apps/moderation/src/decision/decision.repository.ts', claim],
  ['apps/jobs/src/job/job.view.ts', links],
];
