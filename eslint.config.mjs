import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { words } from './test/architecture/words-rule.mjs';

const TRANSPORT = {
  group: ['@nestjs/microservices'],
  importNamePattern: '^(MessagePattern|EventPattern|Client.*)$',
  message: 'Ask through Bus and answer with @Handles, so that a caller and a handler cannot drift apart.',
};
const HTTP_EXCEPTIONS = {
  group: ['@nestjs/common'],
  importNamePattern: 'Exception$',
  message: 'Throw ApiError: an HttpException becomes "Internal server error" on its way over NATS.',
};
const FORWARD_REF = {
  group: ['@nestjs/common'],
  importNamePattern: '^forwardRef$',
  message: 'Two providers that need each other are one provider, or miss a third.',
};
const PROCESS_ENV = {
  group: ['process', 'node:process'],
  importNamePattern: '^env$',
  message: 'Settings enter through the *.config.ts of the service, which validates and documents them.',
};
const CAN_PARSE = {
  object: 'URL',
  property: 'canParse',
  message: 'Ask parseUrl: the faster form of this in Node 20 refuses hosts with letters of Latin-1.',
};

const EXPORT_ALL = {
  selector: 'ExportAllDeclaration',
  message: 'A face lists its names: `export *` publishes whatever is added.',
};
const SLEEPS = [
  'ImportDeclaration[source.value=/timers.promises$/]',
  'AwaitExpression CallExpression[callee.name=setTimeout]',
].map((selector) => ({ selector, message: 'A test waits for a condition: one that sleeps is slow, or wrong.' }));

/** By assertion, anybody could say of anything that it has passed. */
const CLAIMS_OF_PASSING = {
  selector: 'TSAsExpression TSTypeReference[typeName.name=/^Passed(DecisionId|Content|Verdict)$/]',
  message: 'Only the gate says what has passed: ask it, and hand on its answer.',
};
const SIGNED_LINKS = {
  selector: 'ImportSpecifier[imported.name=/^(UrlSigner|DownloadLinks|createDownloadLinks)$/]',
  message:
    'Links are made for outputs of jobs that succeeded, which have passed the gate; only JobPresenter makes them.',
};

/** One rule, one place: a later block replaces the list of an earlier one. */
const refuseImports = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });

export default defineConfig(
  // The client's types are generated, and longer than a file of ours may be.
  globalIgnores([
    'dist/',
    '.kinora/',
    'coverage/',
    'libs/*/dist/',
    'apps/*/dist/',
    'libs/sdk-typescript/src/api-types.ts',
    'apps/console/web/src/api/*-api.d.ts',
  ]),
  {
    name: 'every file',
    linterOptions: { noInlineConfig: true },
    rules: {
      eqeqeq: 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', 70],
      'max-params': ['error', 7],
    },
  },
  {
    name: 'TypeScript',
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { kinora: { rules: { words } } },
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      // Told here as well as in tsconfig.json, because consistent-type-imports must never ask for a type-only import of a
      // class whose run-time type a decorator needs: validation would silently pass everything.
      parserOptions: { projectService: true, experimentalDecorators: true, emitDecoratorMetadata: true },
    },
    rules: {
      ...refuseImports(TRANSPORT, HTTP_EXCEPTIONS, FORWARD_REF, PROCESS_ENV),
      'kinora/words': 'error',
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        CAN_PARSE,
        { object: 'process', property: 'env', message: PROCESS_ENV.message },
      ],
      'no-restricted-syntax': ['error', EXPORT_ALL],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: false }],
      // A leading underscore says that a parameter is there for the signature only, as the compiler has it too.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // Clients of brokers and databases declare enums and hand out their strings.
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      // An async method that has nothing to await still promises to reject instead of throwing.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    name: 'the gateway and the console speak HTTP',
    files: ['apps/gateway/**/*.ts', 'apps/console/**/*.ts'],
    rules: refuseImports(TRANSPORT, FORWARD_REF, PROCESS_ENV),
  },
  {
    name: 'the bus is the transport',
    files: ['libs/bus/**/*.ts'],
    rules: refuseImports(HTTP_EXCEPTIONS, FORWARD_REF, PROCESS_ENV),
  },
  {
    name: 'specs of the bus throw what nobody else may, to show that it does not cross',
    files: ['libs/bus/**/*.spec.ts'],
    rules: refuseImports(FORWARD_REF, PROCESS_ENV),
  },
  {
    name: 'what has not passed the gate gets no proof and no link',
    files: ['apps/**/*.ts'],
    ignores: ['**/*.fixtures.ts'],
    rules: { 'no-restricted-syntax': ['error', EXPORT_ALL, CLAIMS_OF_PASSING, SIGNED_LINKS] },
  },
  {
    name: 'where a verdict of the gate becomes a proof',
    files: ['apps/moderation/src/**/decision.repository.ts'],
    rules: { 'no-restricted-syntax': ['error', EXPORT_ALL, SIGNED_LINKS] },
  },
  {
    name: 'where outputs get their links, and where links are honoured',
    files: [
      'apps/jobs/src/**/job.view.ts',
      'apps/gateway/src/**/files.controller.ts',
      'apps/gateway/src/**/own-files.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', EXPORT_ALL, CLAIMS_OF_PASSING] },
  },
  {
    // The page's policy refuses what these would do, but only where a browser enforces it.
    name: 'the pages of the console make elements by React alone',
    files: ['apps/console/web/**/*.tsx', 'apps/console/web/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        EXPORT_ALL,
        {
          selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
          message: 'Text of a job or an error would become markup.',
        },
        {
          selector: 'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML)$/]',
          message: 'Text of a job or an error would become markup.',
        },
      ],
    },
  },
  {
    name: 'where settings enter',
    files: [
      '**/*.config.ts',
      '**/main.ts',
      '**/migrate.ts',
      // Hands the environment to the config class of whichever service is starting.
      'libs/service-kit/src/service.ts',
      'deploy/**/*.ts',
      'test/**/*.ts',
    ],
    rules: {
      ...refuseImports(TRANSPORT, HTTP_EXCEPTIONS, FORWARD_REF),
      'no-restricted-properties': ['error', CAN_PARSE],
    },
  },
  {
    name: 'where a person reads the output',
    files: ['apps/cli/**/*.ts', 'deploy/**/*.ts', 'test/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    name: 'specs',
    files: ['**/*.spec.ts', '**/*.e2e-spec.ts', '**/*.image-spec.ts'],
    rules: {
      // Matchers of jest, such as expect.any(String), are declared as any.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      'no-restricted-syntax': ['error', EXPORT_ALL, ...SLEEPS],
      // A describe block is a chapter, not a function.
      'max-lines-per-function': 'off',
      'no-restricted-properties': [
        'error',
        CAN_PARSE,
        ...['describe', 'it', 'test'].flatMap((object) =>
          ['only', 'skip', 'todo', 'failing'].map((property) => ({
            object,
            property,
            message: 'Every test runs, every time.',
          })),
        ),
      ],
    },
  },
);
