import { Access } from '../../http/route-access';

export const ROLES = ['owner', 'finance', 'support', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** What an operator may do. `view` covers every page without personal content. */
export const PERMISSIONS = [
  'view',
  'create_accounts',
  'change_money',
  'change_status',
  'change_limits',
  'cancel_jobs',
  'refund_jobs',
  'switch_models',
  'lift_strikes',
  'replay_policy',
  'view_media',
  'redeliver',
  'verify_ledger',
  'open_portal',
  'view_audit',
  'manage_users',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

const FINANCE = ['view', 'create_accounts', 'change_money', 'refund_jobs', 'verify_ledger', 'view_audit'] as const;
const SUPPORT = [
  ...(['view', 'change_status', 'change_limits', 'cancel_jobs', 'lift_strikes', 'replay_policy'] as const),
  ...(['view_media', 'redeliver', 'open_portal'] as const),
];

/** Who may do what. */
export const PERMISSIONS_OF_ROLE: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(PERMISSIONS),
  finance: new Set(FINANCE),
  support: new Set(SUPPORT),
  viewer: new Set(['view']),
};

/** Declares what a route needs. A route of operators without a declaration ends the start of the program. */
export function Requires(
  permission: Permission,
  { isConfirmed = false }: { isConfirmed?: boolean } = {},
): MethodDecorator & ClassDecorator {
  return Access({ permission, isConfirmed });
}

export function isPermission(name: string): name is Permission {
  return (PERMISSIONS as readonly string[]).includes(name);
}
