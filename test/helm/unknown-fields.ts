import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';
import { type Manifest, titleOf } from './manifest';

/** The first and the last minor version that know a field, and the types that it has had, where they have fields. */
type Field = [since: number, until: number, ...types: string[]];
type Fields = Record<string, Field>;

interface KnownFields {
  minors: number[];
  types: Record<string, Fields>;
}

const KNOWN = JSON.parse(readFileSync(path.join(ROOT, 'test/helm/kubernetes-fields.json'), 'utf8')) as KnownFields;

/** The minor versions of Kubernetes 1 whose fields are known. */
export const MINORS = KNOWN.minors;

/** The fields that a version of Kubernetes does not know, one sentence each; Helm refuses a manifest with such a field. */
export function unknownFields(manifests: Manifest[], minor: number): string[] {
  return manifests.flatMap((manifest) => {
    const type = typeOf(manifest);
    if (type === null) return [];
    const fields = KNOWN.types[type];
    if (!fields) return [`${titleOf(manifest)}: the kind ${type} is not in kubernetes-fields.json.`];
    return unknownIn(manifest, fields, minor).map(
      (field) => `${titleOf(manifest)}: Kubernetes 1.${minor} has no ${field}.`,
    );
  });
}

/** Null for a kind of another operator, whose group has a domain. */
function typeOf({ apiVersion, kind }: Manifest): string | null {
  if (apiVersion === 'v1') return `core.v1.${kind}`;
  const [group = '', version] = apiVersion.replace('.k8s.io', '').split('/');
  return group.includes('.') ? null : `${group}.${version}.${kind}`;
}

function unknownIn(value: unknown, fields: Fields, minor: number, place = ''): string[] {
  return Object.entries(value as object).flatMap(([name, inner]: [string, unknown]) => {
    const at = place === '' ? name : `${place}.${name}`;
    const [since, until, ...types] = fields[name] ?? [Infinity, -Infinity];
    if (minor < since || minor > until) return [at];
    if (inner === null || typeof inner !== 'object') return [];
    const values = Array.isArray(inner) ? inner : [inner];
    // A later version may give a field a type of another name.
    const readings = types.map((type) => values.flatMap((each) => unknownIn(each, KNOWN.types[type] ?? {}, minor, at)));
    return readings.toSorted((one, other) => one.length - other.length)[0] ?? [];
  });
}
