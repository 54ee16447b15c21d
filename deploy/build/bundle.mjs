// Joins the modules of each program in dist/ to one file, which `main.js` then runs, and all packages to one file that the programs
// share. A service has 2,000 modules; to find, read and compile each one alone took most of its start.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { dist, root } from './emit.mjs';

const CONTEXTS = ['jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher', 'console'];
/** Every process of a stack, with what its launcher loads, and the command of its operators. */
const PROGRAMS = [
  ...[...CONTEXTS, 'gateway', 'sandbox', 'cli'].map((app) => `apps/${app}/src/main.js`),
  ...CONTEXTS.map((app) => `apps/${app}/src/migrations/migrations.js`),
  'deploy/local/start.js',
];
/** Runs a bundle with the code that V8 compiled at an earlier start. */
const LOADER = 'libs/service-kit/src/bundle.js';
/** These have native parts or files of their own, or few installations load them. */
const SEPARATE = [
  'sharp',
  '@ffmpeg/core',
  'swagger-ui-dist',
  'h264-mp4-encoder',
  'mediabunny',
  'nodemailer',
  'stripe',
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-request-presigner',
  '@opentelemetry',
];
/** Parts of packages that they load at their start, and no program calls: drivers of other databases, and the plans of all telephone numbers. */
const UNUSED = /[\\/]node_modules[\\/](typeorm[\\/]driver[\\/](?!postgres|types)[\w-]+[\\/]|libphonenumber-js[\\/])/;
/** Loads OpenTelemetry for exemplars, which no program enables: 20 ms of processor time a process. */
const WITH_EXEMPLARS = /[\\/]prom-client[\\/]lib[\\/]metrics[\\/]processCpuTotal\.js$/;
const PACKAGES = 'packages';
const NOT_ASCII = /[^\x00-\x7f]/g;
/** A function of each bundle: the path of a module before it was bundled. */
const IN_DIST = 'inDist';

export async function bundlePrograms() {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(
      PROGRAMS.map((program) => [program.replace(/\.js$/, '.bundle'), path.join(dist, program)]),
    ),
    platform: 'node',
    external: SEPARATE.map((name) => new RegExp(`^${name}(/|$)`)),
    treeshake: false,
    plugins: [modulesOfDist, withoutUnused, partsForLoader],
    onLog: failOnMissingModule,
  });
  const { output } = await bundle.write({
    dir: dist,
    format: 'cjs',
    sourcemap: true,
    comments: false,
    // Its default removes calls whose result is unused, also those of which only the error counts (`decodeURIComponent` in a try).
    minify: false,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: 'libs/[name]-[hash].js',
    codeSplitting: {
      groups: [
        { name: PACKAGES, test: /[\\/]node_modules[\\/]/ },
        { name: 'shared', test: /[\\/]dist[\\/]libs[\\/]/ },
      ],
    },
  });
  await bundle.close();
  await Promise.all(output.filter(({ isEntry }) => isEntry).map(runBundle));
}

/** Replaces the program by a line that runs its bundle. */
async function runBundle({ name, fileName }) {
  const program = name.replace(/\.bundle$/, '.js');
  const [loader, bundle] = [LOADER, fileName].map((file) => `./${path.relative(path.dirname(program), file)}`);
  const file = `{ program: '${program}', bundle: require.resolve('${bundle}'), separate: ${JSON.stringify(SEPARATE)} }`;
  await writeFile(path.join(dist, program), `module.exports = require('${loader}').runBundle(${file});\n`);
}

/** Adds the source maps of TypeScript, and keeps the folder from which a module reads files. */
const modulesOfDist = {
  name: 'modules-of-dist',
  load: {
    filter: { id: /\.js$/ },
    async handler(id) {
      if (!id.startsWith(`${dist}${path.sep}`)) return;
      const [code, map] = await Promise.all([id, `${id}.map`].map((file) => readFile(file, 'utf8')));
      const module = path.relative(dist, id);
      const placed = code
        .replace(/\b__dirname\b/g, `${IN_DIST}('${path.dirname(module)}')`)
        .replace(/\b__filename\b/g, `${IN_DIST}('${module}')`);
      return { code: placed, map };
    },
  },
};

/** Services start a tenth sooner without them. */
const withoutUnused = {
  name: 'without-unused',
  load: { filter: { id: UNUSED }, handler: () => 'module.exports = {};' },
  transform: {
    filter: { id: WITH_EXEMPLARS },
    handler: (code) => ({ code: code.replace("require('@opentelemetry/api')", 'null'), map: null }),
  },
};

/**
 * The loader calls each part as Node calls a module. The text of packages is ASCII, which takes half the memory. Packages have no source map:
 * it would be 12 MB, which the first stack trace would read. A comment in the bundle names each of their modules instead.
 */
const partsForLoader = {
  name: 'parts-for-loader',
  generateBundle(_, bundle) {
    for (const part of Object.values(bundle).filter(({ type }) => type === 'chunk')) {
      if (part.name === PACKAGES) {
        part.code = part.code.replace(NOT_ASCII, escape).replace(/\n\/\/# sourceMappingURL=.*\n?$/, '');
        delete bundle[`${part.fileName}.map`];
      }
      const upwards = path.relative(path.dirname(part.fileName), '');
      const inDist = `const ${IN_DIST} = (file) => require('node:path').join(__dirname, '${upwards}', file);`;
      part.code = `(function (exports, require, module, __filename, __dirname) { ${inDist}${part.code}\n})\n`;
    }
  },
};

function escape(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Packages name drivers and transports that are not installed, and load them only where they are used. */
function failOnMissingModule(level, log, handle) {
  if (log.code !== 'UNRESOLVED_IMPORT') handle(level, log);
  else if (!log.id.includes('node_modules')) handle('error', log);
}
