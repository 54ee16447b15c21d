// Prepares a release in the working tree: `npm run release -- 1.1.0`. docs/contribute/release.md has the steps before and
// after.
import { execFileSync, spawnSync } from 'node:child_process';
import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** They also compare the contracts with those of the previous release. */
const CHECKS = ['check:services', 'check:api'];
const GOLDEN = 'test/contract/golden';
const RELEASED = 'test/contract/released';
/** The places of the version, each with context that is unique in its file. */
const NAMED_IN = {
  'package.json': (version) => `"version": "${version}"`,
  'package-lock.json': (version) => `"name": "kinora",\n  "version": "${version}"`,
  'deploy/helm/kinora/Chart.yaml': (version) => `\nversion: ${version}\nappVersion: ${version}\n`,
  'libs/service-kit/src/release.ts': (version) => `RELEASE = '${version}'`,
  'deploy/docker/Dockerfile': (version) => `--tag kinora:${version} `,
  'deploy/docker/compose.yaml': (version) => `image: kinora:${version}`,
  'deploy/examples/operator-pod.yaml': (version) => `/kinora:${version}`,
  'deploy/examples/cluster/argo-cd-application.yaml': (version) => `targetRevision: v${version}\n`,
  'docs/operate/install.md': (version) => `kinora:${version}`,
  'docs/operate/image.md': (version) => `kinora:${version}`,
  'docs/operate/upgrade.md': (version) => `image.tag=${version} `,
  'test/docker/compose/compose-project.ts': (version) => `'kinora:${version}'`,
};

const [next = ''] = process.argv.slice(2);
const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
if (!/^\d+\.\d+\.\d+$/.test(next)) fail('The release must be named X.Y.Z, for example npm run release -- 1.1.0');
if (compare(next, version) <= 0) fail(`${next} does not follow ${version}, the version in package.json.`);
const open = execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' });
if (open !== '') fail(`The working tree has uncommitted changes. Commit or stash them first:\n${open}`);
for (const check of CHECKS) {
  if (spawnSync('npm', ['run', check], { cwd: ROOT, stdio: 'inherit' }).status !== 0)
    fail(`${next} is not released: fix the errors above.`);
}

for (const [file, words] of Object.entries(NAMED_IN)) await rename(file, words(version), words(next));
// The lock file contains the version twice.
await rename(
  'package-lock.json',
  `"name": "kinora",\n      "version": "${version}"`,
  `"name": "kinora",\n      "version": "${next}"`,
);
await rename('deploy/helm/kinora/Chart.yaml', `image: kinora:${version}\n`, `image: kinora:${next}\n`);
await rename('deploy/docker/Dockerfile', `ARG VERSION=${version}\n`, `ARG VERSION=${next}\n`);
assertNamedNowhereElse();
await closeUpgradePage();
for (const file of await readdir(path.join(ROOT, RELEASED))) await rm(path.join(ROOT, RELEASED, file));
await cp(path.join(ROOT, GOLDEN), path.join(ROOT, RELEASED), { recursive: true });
console.log(`${RELEASED} written from ${GOLDEN}: the next release will be compared with ${next}.`);
console.log(
  `Next: git diff, npm test, git commit -am "Release ${next}", git tag v${next} (docs/contribute/release.md).`,
);

function fail(reason) {
  console.error(reason);
  process.exit(1);
}

async function rename(file, was, is) {
  const text = await readFile(path.join(ROOT, file), 'utf8');
  if (!text.includes(was)) fail(`${file} does not contain ${JSON.stringify(was)}.`);
  await writeFile(path.join(ROOT, file), text.replaceAll(was, is));
  console.log(file);
}

/** A guide or a file of the deployment that names the former version would install it. */
function assertNamedNowhereElse() {
  const was = version.replaceAll('.', '\\.');
  const named = `kinora:${was}|image\\.tag=${was}|^(appVersion|version): ${was}`;
  const { stdout } = spawnSync('git', ['grep', '-lE', named, '--', 'deploy', 'docs', 'test'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (stdout !== '') fail(`These files still name ${version}: add them to NAMED_IN.\n${stdout}`);
}

/** What operators do for this version gets its page, and the version after it an empty one. */
async function closeUpgradePage() {
  const [open, closed] = ['unreleased', next].map((name) => `docs/operate/upgrades/${name}.md`);
  const text = await readFile(path.join(ROOT, open), 'utf8');
  const [introduction] = text.split(/(?=^- |^Nothing so far)/m);
  await writeFile(path.join(ROOT, closed), text.replace(/^# .*$/m, `# Upgrade to ${next}`));
  await writeFile(path.join(ROOT, open), `${introduction.trimEnd()}\n\nNothing so far.\n`);
  const link = '- [the next release](upgrades/unreleased.md)\n';
  await rename('docs/operate/upgrade.md', link, `${link}- [${next}](upgrades/${next}.md)\n`);
}

/** Positive if the first version follows the second. */
function compare(one, other) {
  const [parts, others] = [one, other].map((each) => each.split('.').map(Number));
  const index = parts.findIndex((part, at) => part !== others[at]);
  return index < 0 ? 0 : parts[index] - others[index];
}
