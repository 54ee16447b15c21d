import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ImageStack, START_TIMEOUT_MS } from '../e2e/image/image-stack';
import { createsImages, endsOnSigterm, passesChartTest, reportsHealth, servesPages } from '../e2e/image/image-suite';
import { BuiltImage } from './built-image';
import { startSeaweedFs } from './seaweedfs';

/** Two installations from npm, a debootstrap and a build; on a busy machine the slowest of them takes minutes. */
const BUILD_TIMEOUT_MS = 25 * 60_000;
const PROBE = `
const { readFileSync, writeFileSync } = require('node:fs');
const write = (file) => { try { writeFileSync(file, ''); return 'written'; } catch ({ code }) { return code; } };
const status = readFileSync('/proc/self/status', 'utf8');
const field = (name) => new RegExp('^' + name + ':\\\\s*(.*)$', 'm').exec(status)[1];
console.log(JSON.stringify({
  uid: process.getuid(), node: process.versions.node, effective: field('CapEff'), bounding: field('CapBnd'),
  noNewPrivileges: field('NoNewPrivs'), app: write('/app/x'), etc: write('/etc/x'), tmp: write('/tmp/x'),
}));`;

interface Component {
  name: string;
  version: string;
  purl: string;
}

describe('the built image', () => {
  let image: BuiltImage;
  let stack: ImageStack;

  beforeAll(async () => {
    image = await BuiltImage.build({ VERSION: '1.2.3', REVISION: 'abcdef' });
    stack = await ImageStack.start(image, await startSeaweedFs());
  }, BUILD_TIMEOUT_MS);

  afterAll(() => stack.stop(), START_TIMEOUT_MS);

  const bill = async (file: string): Promise<Component[]> =>
    (JSON.parse(await readFile(path.join(image.root, 'app', file), 'utf8')) as { components: Component[] }).components;

  it('runs the Node of its base as a user without rights on a read-only root', async () => {
    const { exitCode, output } = await stack.run('--eval', {}, [PROBE]).end();
    expect({ exitCode, ...(JSON.parse(output) as object) }).toEqual({
      exitCode: 0,
      uid: 10_001,
      node: image.nodeVersion,
      effective: '0000000000000000',
      bounding: '0000000000000000',
      noNewPrivileges: '1',
      app: 'EROFS',
      etc: 'EROFS',
      tmp: 'written',
    });
  });

  it('has the labels of its build', () => {
    expect(image.config.Labels).toMatchObject({
      'org.opencontainers.image.title': 'Kinora',
      'org.opencontainers.image.version': '1.2.3',
      'org.opencontainers.image.revision': 'abcdef',
    });
  });

  it('lists every package of the operating system and of npm that it contains, and no tool of a build', async () => {
    const system = await bill('sbom.os.cdx.json');
    const installed = (await image.execute('dpkg-query', '--show', '--showformat', '${Package} ${Version}\\n')).trim();
    const listed = system.filter(({ purl }) => purl?.startsWith('pkg:deb/debian/'));
    expect(listed.map(({ name, version }) => `${name} ${version}`).toSorted()).toEqual(
      installed.split('\n').toSorted(),
    );
    expect(listed.length).toBeGreaterThan(50);
    expect(system.map(({ name }) => name)).toContain('node');
    const packages = (await bill('sbom.cdx.json')).map(({ name }) => name);
    expect(packages).toEqual(expect.arrayContaining(['fastify', 'pg', 'sharp']));
    const modules = (await image.execute('sh', '-c', 'cd /app/node_modules && ls -d [a-z]* @*/*')).trim().split('\n');
    expect(modules.filter((name) => !packages.includes(name))).toEqual([]);
    const tools = await image.execute('sh', '-c', 'command -v npm npx corepack gcc curl || true');
    expect({ tools, development: modules.filter((name) => /^(jest|typescript|eslint)$/.test(name)) }).toEqual({
      tools: '',
      development: [],
    });
  });

  it('runs every service and creates an image that is charged, with its objects at the server of compose', () =>
    createsImages(stack));

  it('passes the test of the chart, which runs a job to its image and its charge', () =>
    passesChartTest(stack, /"stored"/));

  it('serves the pages of the console and the tools of mcp', () => servesPages(stack));

  it('reports to Docker whether a service is ready', () => reportsHealth(stack));

  it('ends every service in order on SIGTERM', () => endsOnSigterm(stack));
});
