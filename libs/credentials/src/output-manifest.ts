import type { CredentialType } from './credential';

/** A file that an output was made from, or that it was before this service has handled it. */
export interface OutputIngredient {
  /** What it is to the output, in English: verifiers show it. */
  title: string;
  /** `parent`: the output is a changed form of it; `input`: a model was given it. */
  role: 'parent' | 'input';
  /** Null for a file without credentials, or with such as are not kept: verifiers then see its title only. */
  file: Buffer | null;
  mediaType: CredentialType;
}

/** What a manifest says of an output. It has no prompt, no account and no key. */
export interface OutputFacts {
  jobId: string;
  model: string;
  /** `edited`: the parent's pixels were changed; `repackaged`: they are the parent's. */
  action: 'created' | 'edited' | 'repackaged';
  digitalSourceType: string;
  /** Whether this service had a watermark written into the pixels. */
  isMarked: boolean;
  madeAt: Date;
  ingredients: OutputIngredient[];
  /** Titles of files whose own credentials could not be read, and are therefore not kept. */
  droppedCredentials: string[];
}

export interface Generator {
  name: string;
  version: string;
}

const SOURCE_TYPES = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
const OWN_ASSERTION = 'org.kinora.generation';

/** In the library's form. */
export function toManifest(facts: OutputFacts, generator: Generator): string {
  const { jobId, model, action, digitalSourceType, isMarked, madeAt, droppedCredentials } = facts;
  const made = {
    action: `c2pa.${action}`,
    when: madeAt.toISOString(),
    digitalSourceType: `${SOURCE_TYPES}${digitalSourceType}`,
    softwareAgent: { name: model },
    parameters: { ingredientIds: idsOf(facts, action === 'repackaged' ? 'parent' : 'input') },
  };
  const marked = isMarked ? [{ action: 'c2pa.watermarked.unbound', when: madeAt.toISOString() }] : [];
  // A manifest begins with the creation of something, or with the file that was changed.
  const opened = { action: 'c2pa.opened', parameters: { ingredientIds: idsOf(facts, 'parent') } };
  const dropped = droppedCredentials.length === 0 ? {} : { dropped_credentials: droppedCredentials };
  return JSON.stringify({
    claim_generator_info: [generator],
    assertions: [
      {
        label: 'c2pa.actions.v2',
        data: { actions: [...(action === 'created' ? [] : [opened]), made, ...marked] },
        created: true,
      },
      { label: OWN_ASSERTION, data: { job_id: jobId, model, ...dropped }, created: true },
    ],
  });
}

/** By its place among the ingredients. */
export function ingredientDefinition({ title, role, mediaType }: OutputIngredient, index: number): string {
  return JSON.stringify({
    title,
    format: mediaType,
    relationship: role === 'parent' ? 'parentOf' : 'inputTo',
    label: labelOf(index),
  });
}

function idsOf({ ingredients }: OutputFacts, role: OutputIngredient['role']): string[] {
  return ingredients.flatMap((ingredient, index) => (ingredient.role === role ? [labelOf(index)] : []));
}

function labelOf(index: number): string {
  return `ingredient-${index}`;
}
