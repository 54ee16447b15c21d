// Prints a software bill of materials (CycloneDX) of the operating system: Debian's packages, and Node, which is no package of Debian.
const { readFileSync } = require('node:fs');

const [root = ''] = process.argv.slice(2);
const release = Object.fromEntries(
  [...read('/etc/os-release').matchAll(/^(\w+)="?(.*?)"?$/gm)].map(([, name, value]) => [name, value]),
);
const distribution = `${release.ID}-${release.VERSION_ID}`;

const packages = read('/var/lib/dpkg/status')
  .split('\n\n')
  .filter((entry) => /^Status: install ok installed$/m.test(entry))
  .map(toComponent);
const node = {
  type: 'platform',
  name: 'node',
  version: process.versions.node,
  purl: `pkg:generic/node@${process.versions.node}`,
};
const system = { type: 'operating-system', name: release.ID, version: release.VERSION_ID };

process.stdout.write(
  `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components: [system, node, ...packages] }, null, 2)}\n`,
);

/** A scanner matches vulnerabilities by the source package, which the qualifier `upstream` names. */
function toComponent(entry) {
  const [name, version, architecture] = ['Package', 'Version', 'Architecture'].map((field) => fieldOf(entry, field));
  const upstream = fieldOf(entry, 'Source').replace(/ \((.*)\)$/, '@$1');
  const qualifiers = new URLSearchParams({ arch: architecture, distro: distribution, ...(upstream && { upstream }) });
  const purl = `pkg:deb/${release.ID}/${encodeURIComponent(name)}@${encodeURIComponent(version)}?${qualifiers}`;
  return { type: 'library', name, version, purl };
}

function fieldOf(entry, field) {
  return new RegExp(`^${field}: (.*)$`, 'm').exec(entry)?.[1] ?? '';
}

function read(file) {
  return readFileSync(`${root}${file}`, 'utf8');
}
