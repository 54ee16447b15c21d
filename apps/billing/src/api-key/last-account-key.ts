import { ApiError } from '@kinora/contracts/shared/errors';

/** A valid key of the scope `account`. */
export interface AccountKey {
  id: string;
  /** Null if it never expires. */
  expires_at: Date | null;
}

/**
 * Refuses to revoke a key if no other key of the scope `account` lasts as long. A key that expires earlier is no replacement:
 * after its end no key could administer the account through the API.
 * @param accountKeys the valid keys of the scope `account`
 * @throws ApiError last_account_key
 */
export function assertReplaceable(keyId: string, accountKeys: AccountKey[]): void {
  const revoked = accountKeys.find(({ id }) => id === keyId);
  if (!revoked || accountKeys.some((other) => other !== revoked && lastsAsLong(other, revoked))) return;
  throw new ApiError(
    'last_account_key',
    'No other key of the scope account is valid for as long as this one. Create one first, or rotate this key.',
  );
}

function lastsAsLong({ expires_at: end }: AccountKey, { expires_at: until }: AccountKey): boolean {
  return end === null || (until !== null && end >= until);
}
