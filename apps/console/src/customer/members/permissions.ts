import { includesScope, KEY_SCOPES, type KeyScope } from '@kinora/contracts/billing/api-key-format';
import type { MemberRole } from '@kinora/contracts/billing/users.rpc';
import type { Session } from '../../session/sessions';

/** What a customer may do. `view` covers jobs, usage and requests. */
const PERMISSIONS = ['view', 'create', 'keys', 'webhooks', 'see_money', 'change_money', 'members'] as const;
export type CustomerPermission = (typeof PERMISSIONS)[number];

export const PERMISSIONS_OF_ROLE: Record<MemberRole, readonly CustomerPermission[]> = {
  owner: PERMISSIONS,
  billing: ['view', 'see_money', 'change_money'],
  developer: ['view', 'create', 'keys', 'webhooks'],
  viewer: ['view'],
};

const PERMISSIONS_OF_SCOPE: Record<KeyScope, readonly CustomerPermission[]> = {
  read: ['view'],
  jobs: ['view', 'create'],
  account: PERMISSIONS,
};

const CUSTOMER = '/admin/v1/customer';

/**
 * What each route needs, as Fastify names it; a forwarded one has its path of the public API. A route that is missing here is for
 * owners alone. Billing and the gateway decide as well, by the key of the session.
 */
export const PERMISSION_OF_ROUTE: Readonly<Record<string, CustomerPermission>> = {
  'DELETE /admin/v1/session': 'view',
  'GET /admin/v1/sessions': 'view',
  'DELETE /admin/v1/sessions/:id': 'view',
  'GET /media/:job/:n': 'view',
  [`GET ${CUSTOMER}/requests`]: 'view',
  [`GET ${CUSTOMER}/held`]: 'view',
  [`GET ${CUSTOMER}/job-search`]: 'view',
  [`GET ${CUSTOMER}/usage-details`]: 'view',
  [`GET ${CUSTOMER}/usage.csv`]: 'view',
  [`GET ${CUSTOMER}/payments`]: 'see_money',
  [`GET ${CUSTOMER}/key-spend`]: 'see_money',
  [`GET ${CUSTOMER}/key-spend.csv`]: 'see_money',
  [`GET ${CUSTOMER}/statement.csv`]: 'see_money',
  [`GET ${CUSTOMER}/statements/:month`]: 'see_money',
  [`GET ${CUSTOMER}/billing-details`]: 'see_money',
  [`POST ${CUSTOMER}/billing-details`]: 'change_money',
  [`GET ${CUSTOMER}/auto-recharge`]: 'see_money',
  [`POST ${CUSTOMER}/auto-recharge`]: 'change_money',
  [`GET ${CUSTOMER}/balance-alert`]: 'see_money',
  [`POST ${CUSTOMER}/balance-alert`]: 'change_money',
  [`GET ${CUSTOMER}/top-up-offer`]: 'see_money',
  [`POST ${CUSTOMER}/checkouts`]: 'change_money',
  [`GET ${CUSTOMER}/checkouts/:id`]: 'see_money',
  [`GET ${CUSTOMER}/cards`]: 'see_money',
  [`DELETE ${CUSTOMER}/cards/:id`]: 'change_money',
  [`GET ${CUSTOMER}/rehearsals/:id`]: 'see_money',
  [`POST ${CUSTOMER}/rehearsals/:id`]: 'change_money',
  [`GET ${CUSTOMER}/accounts`]: 'view',
  [`POST ${CUSTOMER}/accounts/switch`]: 'view',
  [`GET ${CUSTOMER}/members`]: 'view',
  [`POST ${CUSTOMER}/members`]: 'members',
  [`POST ${CUSTOMER}/members/withdraw`]: 'members',
  [`POST ${CUSTOMER}/members/role`]: 'members',
  // Every member may leave; billing refuses to remove another one.
  [`POST ${CUSTOMER}/members/remove`]: 'view',
  'GET /account': 'view',
  'GET /account/statement': 'see_money',
  'GET /account/keys': 'keys',
  'POST /account/keys': 'keys',
  'DELETE /account/keys/{id}': 'keys',
  'POST /account/keys/{id}/rotate': 'keys',
  'POST /account/webhook-secret/rotate': 'webhooks',
  'GET /events': 'view',
  'POST /images/generations': 'create',
  'POST /images/edits': 'create',
  'POST /videos/generations': 'create',
  'POST /quotes': 'create',
  'GET /jobs': 'view',
  'GET /jobs/{id}': 'view',
  'GET /jobs/{id}/events': 'view',
  'GET /jobs/{id}/progress': 'view',
  'GET /jobs/{id}/receipt': 'view',
  'POST /jobs/{id}/appeal': 'create',
  'POST /jobs/{id}/cancel': 'create',
  'DELETE /jobs/{id}/content': 'create',
  'DELETE /jobs/{id}/outputs': 'create',
  'GET /loras': 'view',
  'GET /models': 'view',
  'GET /usage': 'view',
  'GET /webhooks/deliveries': 'webhooks',
  'GET /webhooks/deliveries/{id}': 'webhooks',
  'POST /webhooks/deliveries/{id}/redeliver': 'webhooks',
  'POST /webhooks/test': 'webhooks',
};

/** @param route method and path, as in the table */
export function mayUse(role: MemberRole, route: string): boolean {
  const needed = PERMISSION_OF_ROUTE[route];
  return needed === undefined ? role === 'owner' : PERMISSIONS_OF_ROLE[role].includes(needed);
}

/** By the role of the member, or for a key or a portal link by the scope. */
export function permissionsOf({ scope, member_role }: Pick<Session, 'scope' | 'member_role'>): CustomerPermission[] {
  if (member_role !== null) return [...PERMISSIONS_OF_ROLE[member_role]];
  const greatest = KEY_SCOPES.findLast((each) => scope !== null && includesScope(scope, each));
  return greatest === undefined ? [] : [...PERMISSIONS_OF_SCOPE[greatest]];
}
