import type { Credential, CredentialIngredient } from './credential';

/** What the library says about a file, as far as it is used here. Everything in it is a stranger's text. */
export interface ManifestStore {
  active_manifest?: string;
  manifests?: Record<string, Manifest>;
  validation_state?: string;
}

interface Manifest {
  ingredients?: Ingredient[];
  assertions?: { label?: string; data?: unknown }[];
  signature_info?: {
    issuer?: string | null;
    common_name?: string | null;
    time?: string | null;
    cert_serial_number?: string;
  };
  thumbnail?: { identifier?: string };
}

interface Ingredient {
  title?: string | null;
  active_manifest?: string | null;
  thumbnail?: { identifier?: string };
  validation_results?: { activeManifest?: { failure?: { code?: string }[] } };
}

interface Action {
  action?: string;
  when?: string;
  softwareAgent?: string | { name?: string };
  digitalSourceType?: string;
}

/** Faults that say nothing against the file itself: no trusted authority has certified its signer. */
const ONLY_UNTRUSTED = new Set(['signingCredential.untrusted', 'timeStamp.untrusted']);
/** More is no name. */
const TEXT_MAX = 300;

export function countManifests({ manifests = {} }: ManifestStore): number {
  return Object.keys(manifests).length;
}

export interface KnownSigner {
  trusted: boolean;
  ours: boolean;
}

export function toCredential(store: ManifestStore, { trusted, ours }: KnownSigner, thumbnails: Buffer[]): Credential {
  const manifest = activeOf(store);
  const valid = isValid(store);
  const actions = actionsOf(manifest);
  return {
    valid,
    trusted: valid && trusted,
    ours: valid && ours,
    signer: signerOf(manifest),
    createdAt: timeOf(manifest?.signature_info?.time) ?? timeOf(actions.find(({ when }) => when !== undefined)?.when),
    model: agentOf(actions.find(({ softwareAgent }) => softwareAgent !== undefined)),
    digitalSourceType: sourceTypeOf(actions),
    ingredients: (manifest?.ingredients ?? []).map((ingredient) => toIngredient(store, ingredient)),
    thumbnails,
  };
}

export function isValid({ validation_state: state }: ManifestStore): boolean {
  return state === 'Valid' || state === 'Trusted';
}

export function serialNumberOf(store: ManifestStore): string | null {
  return activeOf(store)?.signature_info?.cert_serial_number ?? null;
}

/** In the manifests of the file and of everything that went into it: the names of their images inside the library. */
export function thumbnailsOf({ manifests = {} }: ManifestStore): { manifest: string; identifier: string }[] {
  return Object.entries(manifests).flatMap(([manifest, { thumbnail, ingredients = [] }]) =>
    [thumbnail, ...ingredients.map((ingredient) => ingredient.thumbnail)].flatMap((found) =>
      typeof found?.identifier === 'string' ? { manifest, identifier: found.identifier } : [],
    ),
  );
}

function activeOf({ active_manifest: label, manifests = {} }: ManifestStore): Manifest | undefined {
  return label !== undefined && Object.hasOwn(manifests, label) ? manifests[label] : undefined;
}

function toIngredient(store: ManifestStore, ingredient: Ingredient): CredentialIngredient {
  const label = ingredient.active_manifest ?? undefined;
  const manifest = label === undefined ? undefined : activeOf({ ...store, active_manifest: label });
  const failures = ingredient.validation_results?.activeManifest?.failure ?? [];
  return {
    title: textOf(ingredient.title),
    valid: manifest ? failures.every(({ code }) => ONLY_UNTRUSTED.has(code ?? '')) : null,
    signer: signerOf(manifest),
    digitalSourceType: sourceTypeOf(actionsOf(manifest)),
  };
}

function actionsOf(manifest: Manifest | undefined): Action[] {
  return (manifest?.assertions ?? [])
    .filter(({ label }) => label?.startsWith('c2pa.actions') === true)
    .flatMap(({ data }) => (isRecord(data) && Array.isArray(data['actions']) ? data['actions'].filter(isRecord) : []));
}

function signerOf(manifest: Manifest | undefined): string | null {
  const { issuer, common_name: name } = manifest?.signature_info ?? {};
  return textOf(issuer) ?? textOf(name);
}

function agentOf(action: Action | undefined): string | null {
  const agent = action?.softwareAgent;
  return textOf(typeof agent === 'object' ? agent.name : agent);
}

function sourceTypeOf(actions: Action[]): string | null {
  const type = textOf(actions.find(({ digitalSourceType }) => digitalSourceType !== undefined)?.digitalSourceType);
  return type?.split('/').at(-1) ?? null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, TEXT_MAX) : null;
}

function timeOf(value: unknown): Date | null {
  const time = new Date(typeof value === 'string' ? value : Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
