import type { CapPeriod } from '@kinora/contracts/billing/billing-admin.rpc';
import type { CreateAccountKeyBody } from '@kinora/contracts/billing/account-key.body';
import { DEFAULT_KEY_SCOPE, type KeyScope } from '@kinora/contracts/billing/api-key-format';
import type { MemberRole } from '@kinora/contracts/billing/users.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { formatUsd, type Micros } from '@kinora/contracts/shared/money';

export interface Budget {
  cap_micros: Micros;
  period: CapPeriod;
  spent_micros: Micros;
}

/** A budget a day can be spent on every day of the longest month. */
const DAYS_IN_MONTH_MAX = 31;

/** The part of a giver's budget that a gift of it takes; infinite where the gift renews itself more slowly than the giver. */
export function shareOf(gift: Pick<Budget, 'cap_micros' | 'period'>, giverPeriod: CapPeriod): Micros {
  if (gift.period === giverPeriod) return gift.cap_micros;
  return gift.period === 'day' ? gift.cap_micros * DAYS_IN_MONTH_MAX : Infinity;
}

/** Whether the budget covers the gift with what it has not spent in the current period. */
export function coversGift(giver: Budget, gift: Pick<Budget, 'cap_micros' | 'period'>): boolean {
  return shareOf(gift, giver.period) <= giver.cap_micros - giver.spent_micros;
}

/**
 * Ends a gift. What it has spent counts as spent by the giver, and a gift of a shorter period counts as spent entirely until
 * the giver's next period, because its earlier days are not known. The gift keeps only what its ended jobs have spent, so a
 * job that was admitted before the revocation can reserve nothing more.
 *
 * @param movedMicros of the gift's spending, the open holds that become the giver's
 * @returns endedMicros, what the giver counts beyond its holds
 */
export function giveBack<Row extends Budget>(
  gift: Row,
  giver: Row,
  movedMicros: Micros,
): { own: Row; giver: Row; endedMicros: Micros } {
  const share = shareOf(gift, giver.period);
  const spent = gift.period === giver.period ? gift.spent_micros : share;
  const kept = gift.spent_micros - movedMicros;
  return {
    own: { ...gift, cap_micros: kept, spent_micros: kept },
    giver: { ...giver, cap_micros: giver.cap_micros + share, spent_micros: giver.spent_micros + spent },
    endedMicros: spent - movedMicros,
  };
}

/** What members change through a key of their session; keys without a member change everything. */
const KEY_ROLES: readonly (MemberRole | null)[] = [null, 'owner', 'developer'];

/** @throws ApiError scope_required */
export function assertMayChange({ member_role }: Pick<KeyRights, 'member_role'>): void {
  if (KEY_ROLES.includes(member_role)) return;
  throw new ApiError('scope_required', `A member with the role ${member_role} may not change this.`);
}

/** With a key of the scope `account`, a developer could do what only owners may. @throws ApiError scope_required */
export function assertGivable({ member_role }: Pick<KeyRights, 'member_role'>, scope: KeyScope): void {
  if (member_role !== 'developer' || scope !== 'account') return;
  throw new ApiError('scope_required', 'Only an owner makes, rotates and revokes keys of the scope account.');
}

/** What limits a key, apart from its account. */
export interface KeyRights {
  scope: KeyScope;
  /** Null for every model. */
  allowed_models: string[] | null;
  /** Null if the key never expires. */
  expires_at: Date | null;
  /** Null for a key that only its account's balance limits. */
  budget: Budget | null;
  /** Of the member whose session has the key; null for any other key. */
  member_role: MemberRole | null;
}

export interface NewKeyRights extends Omit<KeyRights, 'budget' | 'member_role'> {
  budget: Pick<Budget, 'cap_micros' | 'period'> | null;
}

/** Whether the key can do less than its scope allows. Such a key manages only itself and the keys that it has created. */
export function isRestricted({ allowed_models, expires_at, budget }: Omit<KeyRights, 'member_role'>): boolean {
  return allowed_models !== null || expires_at !== null || budget !== null;
}

/**
 * The rights of a key that another one creates: a limit that is left out is the creator's, and none exceeds the creator's. A
 * creator of the scope `account` may give every scope.
 * @throws ApiError exceeds_key, scope_required
 */
export function rightsOfNewKey(input: CreateAccountKeyBody, creator: KeyRights): NewKeyRights {
  const { scope = DEFAULT_KEY_SCOPE } = input;
  assertGivable(creator, scope);
  return {
    scope,
    allowed_models: modelsOf(input, creator),
    expires_at: expiryOf(input, creator),
    budget: budgetOf(input, creator),
  };
}

function modelsOf({ models }: CreateAccountKeyBody, { allowed_models }: KeyRights): string[] | null {
  if (models === undefined || allowed_models === null) return models ?? allowed_models;
  const place = models.findIndex((model) => !allowed_models.includes(model));
  if (place !== -1) throw exceeds(`models[${place}]`, `be one of ${allowed_models.join(', ')}`);
  return models;
}

function expiryOf(input: CreateAccountKeyBody, { expires_at: latest }: KeyRights): Date | null {
  if (input.expires_at === undefined) return latest;
  const expiresAt = new Date(input.expires_at);
  if (latest !== null && expiresAt > latest) throw exceeds('expires_at', `be at most ${latest.toISOString()}`);
  return expiresAt;
}

function budgetOf(
  { budget_micros: cap_micros, budget_period: period }: CreateAccountKeyBody,
  { budget: left }: KeyRights,
): NewKeyRights['budget'] {
  const budget = cap_micros === undefined || period === undefined ? null : { cap_micros, period };
  if (left === null || (budget !== null && coversGift(left, budget))) return budget;
  const rest = formatUsd(left.cap_micros - left.spent_micros);
  throw exceeds('budget_micros', `be covered by the ${rest} that this key has left of its budget for a ${left.period}`);
}

function exceeds(param: string, rule: string): ApiError {
  return new ApiError('exceeds_key', `A key cannot create one that exceeds it: ${param} must ${rule}.`, { param });
}
