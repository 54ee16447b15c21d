/**
 * What a key may do, from least to most: each scope includes those before it. `read`: reading only. `jobs`: everything but
 * the administration of the account. `account`: everything.
 */
export const KEY_SCOPES = ['read', 'jobs', 'account'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Of a key that is made without a scope. */
export const DEFAULT_KEY_SCOPE: KeyScope = 'jobs';

export function includesScope(scope: KeyScope, required: KeyScope): boolean {
  return KEY_SCOPES.indexOf(scope) >= KEY_SCOPES.indexOf(required);
}
