import type { ProvenanceCredential } from '@kinora/contracts/moderation/provenance.rpc';
import type { Credential } from '@kinora/credentials';

/** What one message may hold of a stranger's words. */
const MOST_INGREDIENTS = 20;
const MOST_CHARS = 200;

/** A credential that is there and cannot be read, or takes more than it may. */
export const UNREADABLE_CREDENTIAL: ProvenanceCredential = {
  valid: false,
  trusted: false,
  ours: false,
  signer: null,
  created_at: null,
  model: null,
  digital_source_type: null,
  ingredients: [],
};

/** The part of a credential that is answered: the bounds of its texts, and no thumbnail, because the gate has not judged it. */
export function toShownCredential(credential: Credential): ProvenanceCredential {
  const { valid, trusted, ours, createdAt } = credential;
  return {
    valid,
    trusted,
    ours,
    signer: short(credential.signer),
    created_at: createdAt?.toISOString() ?? null,
    model: short(credential.model),
    digital_source_type: short(credential.digitalSourceType),
    ingredients: credential.ingredients.slice(0, MOST_INGREDIENTS).map((ingredient) => ({
      title: short(ingredient.title),
      valid: ingredient.valid,
      signer: short(ingredient.signer),
      digital_source_type: short(ingredient.digitalSourceType),
    })),
  };
}

function short(text: string | null): string | null {
  return text === null ? null : [...text].slice(0, MOST_CHARS).join('');
}
