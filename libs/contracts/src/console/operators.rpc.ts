import { rpc } from '../shared/contract';

/** Who may do what is in the operator's guide. */
export const OPERATOR_ROLES = ['owner', 'finance', 'support', 'viewer'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** A person who signs in to the operators' half of the console. */
export interface OperatorDetails {
  user_id: string;
  email: string;
  role: OperatorRole;
  /** `local` signs in with a password, `oidc` at the identity provider; `invited` has not used the setup link yet. */
  sign_in: 'local' | 'oidc' | 'invited';
  created_by: string | null;
  created_at: string;
  disabled_at: string | null;
}

export interface AddOperatorRequest {
  email: string;
  role: OperatorRole;
  /** Who adds the operator; stored with the user. */
  actor?: string;
}

export interface AddedOperator {
  operator: OperatorDetails;
  /** The address at which the operator sets the first password. It is shown once, and works once, for a day. */
  setup_url: string;
}

export const operatorsRpc = {
  /** Adds an operator, or makes a new setup link for one who has no password yet. */
  add: rpc<AddOperatorRequest, AddedOperator>('console.v1.add_operator', { errors: ['invalid_body'] }),
  list: rpc<Record<string, never>, { data: OperatorDetails[] }>('console.v1.list_operators'),
  /** Ends all sessions of the operator and refuses further ones, or permits them again. */
  setDisabled: rpc<{ email: string; disabled: boolean; actor?: string }, OperatorDetails>(
    'console.v1.set_operator_disabled',
    { errors: ['invalid_body', 'not_found'] },
  ),
} as const;
