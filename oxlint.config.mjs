import { defineConfig } from 'oxlint';

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
const refuseSyntax = (...selectors) => ({ 'kinora/no-restricted-syntax': ['error', ...selectors] });

export default defineConfig({
  plugins: ['eslint', 'typescript'],
  jsPlugins: ['./test/architecture/lint-plugin.mjs'],
  categories: { correctness: 'error' },
  options: { typeAware: true, typeCheck: true, respectEslintDisableDirectives: false },
  // The client's types are generated, and longer than a file of ours may be.
  ignorePatterns: [
    'node_modules',
    'dist/',
    '.kinora/',
    '.wireit/',
    'coverage/',
    'libs/*/dist/',
    'apps/*/dist/',
    'libs/sdk-typescript/src/api-types.ts',
    'apps/console/web/src/api/*-api.d.ts',
  ],
  rules: {
    // What these find here is intended: ranges of control characters, numbers at the edge of precision, sorting by code unit,
    // a default for what noUncheckedIndexedAccess calls undefined.
    'no-constant-binary-expression': 'off',
    'no-control-regex': 'off',
    'no-loss-of-precision': 'off',
    'no-misleading-character-class': 'off',
    'no-unsafe-optional-chaining': 'off',
    'typescript/no-meaningless-void-operator': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/no-useless-default-assignment': 'off',
    'typescript/require-array-sort-compare': 'off',
    eqeqeq: 'error',
    'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
    'max-lines': ['error', 300],
    'max-lines-per-function': ['error', 70],
    'max-params': ['error', 7],
  },
  overrides: [
    {
      files: ['**/*.ts', '**/*.tsx'],
      rules: {
        ...refuseImports(TRANSPORT, HTTP_EXCEPTIONS, FORWARD_REF, PROCESS_ENV),
        'no-console': 'error',
        'no-restricted-properties': [
          'error',
          CAN_PARSE,
          { object: 'process', property: 'env', message: PROCESS_ENV.message },
        ],
        ...refuseSyntax(EXPORT_ALL),
        'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: false }],
        // A leading underscore says that a parameter is there for the signature only, as the compiler has it too.
        'no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
        'no-var': 'error',
        'prefer-const': 'error',
        'prefer-rest-params': 'error',
        'prefer-spread': 'error',
        'no-array-constructor': 'error',
        'typescript/ban-ts-comment': 'error',
        'typescript/no-empty-object-type': 'error',
        'typescript/no-explicit-any': 'error',
        'typescript/no-misused-promises': 'error',
        'typescript/no-namespace': 'error',
        'typescript/no-require-imports': 'error',
        'typescript/no-unnecessary-type-assertion': 'error',
        'typescript/no-unnecessary-type-constraint': 'error',
        'typescript/no-unsafe-argument': 'error',
        'typescript/no-unsafe-assignment': 'error',
        'typescript/no-unsafe-call': 'error',
        'typescript/no-unsafe-function-type': 'error',
        'typescript/no-unsafe-member-access': 'error',
        'typescript/no-unsafe-return': 'error',
        'typescript/only-throw-error': 'error',
        'typescript/prefer-promise-reject-errors': 'error',
        'typescript/restrict-plus-operands': 'error',
      },
    },
    {
      // The gateway and the console speak HTTP.
      files: ['apps/gateway/**/*.ts', 'apps/console/**/*.ts'],
      rules: refuseImports(TRANSPORT, FORWARD_REF, PROCESS_ENV),
    },
    {
      // The bus is the transport.
      files: ['libs/bus/**/*.ts'],
      rules: refuseImports(HTTP_EXCEPTIONS, FORWARD_REF, PROCESS_ENV),
    },
    {
      // Specs of the bus throw what nobody else may, to show that it does not cross.
      files: ['libs/bus/**/*.spec.ts'],
      rules: refuseImports(FORWARD_REF, PROCESS_ENV),
    },
    {
      // What has not passed the gate gets no proof and no link.
      files: ['apps/**/*.ts'],
      excludeFiles: ['**/*.fixtures.ts'],
      rules: refuseSyntax(EXPORT_ALL, CLAIMS_OF_PASSING, SIGNED_LINKS),
    },
    {
      // Here a verdict of the gate becomes a proof.
      files: ['apps/moderation/src/**/decision.repository.ts'],
      rules: refuseSyntax(EXPORT_ALL, SIGNED_LINKS),
    },
    {
      // Here outputs get their links, and here links are honoured.
      files: [
        'apps/jobs/src/**/job.view.ts',
        'apps/gateway/src/**/files.controller.ts',
        'apps/gateway/src/**/own-files.ts',
      ],
      rules: refuseSyntax(EXPORT_ALL, CLAIMS_OF_PASSING),
    },
    {
      // The pages of the console make elements by React alone: their policy refuses what these would do, but only where a
      // browser enforces it.
      files: ['apps/console/web/**/*.tsx', 'apps/console/web/**/*.ts'],
      rules: refuseSyntax(
        EXPORT_ALL,
        ...[
          'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
          'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML)$/]',
        ].map((selector) => ({ selector, message: 'Text of a job or an error would become markup.' })),
      ),
    },
    {
      // Settings enter here. service.ts hands the environment to the config class of whichever service is starting.
      files: [
        '**/*.config.ts',
        '**/main.ts',
        '**/migrate.ts',
        'libs/service-kit/src/service.ts',
        'apps/jobs/test/million/million-ids.fixtures.ts',
        'deploy/**/*.ts',
        'test/**/*.ts',
      ],
      rules: {
        ...refuseImports(TRANSPORT, HTTP_EXCEPTIONS, FORWARD_REF),
        'no-restricted-properties': ['error', CAN_PARSE],
      },
    },
    {
      // A person reads the output of these.
      files: ['apps/cli/**/*.ts', 'deploy/**/*.ts', 'test/**/*.ts'],
      rules: { 'no-console': 'off' },
    },
    {
      files: ['**/*.spec.ts', '**/*.e2e-spec.ts', '**/*.image-spec.ts'],
      rules: {
        // Matchers of jest, such as expect.any(String), are declared as any.
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-argument': 'off',
        ...refuseSyntax(EXPORT_ALL, ...SLEEPS),
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
  ],
});
