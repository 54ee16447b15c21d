import { Controller, UseFilters } from '@nestjs/common';
import {
  type AddedOperator,
  type AddOperatorRequest,
  OPERATOR_ROLES,
  type OperatorDetails,
  operatorsRpc,
} from '@kinora/contracts/console/operators.rpc';
import { currentCaller, Handles, PassThroughRpcFilter } from '@kinora/bus';
import { emailField, oneOfField } from '../../http/body-fields';
import type { Actor } from '../audit/audit-trail';
import { ManageOperators } from '../users/manage-operators';
import { BOOLEAN, EMAIL, oneOf, REASON } from '../../http/fields';
import { controllerOf, get, patch, post } from './operator-route';

const BY_OWNERS = { needs: 'manage_users', isConfirmed: true } as const;
const ROLE = oneOf(OPERATOR_ROLES);

/** The operators themselves. */
export const UsersController = controllerOf('UsersController', {
  list: get('users', { summary: 'List operators', needs: 'manage_users' }, async ({ operators }) => ({
    data: await operators.list(),
  })),
  add: post(
    'users',
    { ...BY_OWNERS, summary: 'Add an operator', body: { email: EMAIL, role: ROLE, reason: REASON }, status: 201 },
    ({ operators, by, body: { reason, ...user } }) => operators.add(by, user, reason),
  ),
  setRole: patch(
    'users/role',
    { ...BY_OWNERS, summary: 'Change the role of an operator', body: { email: EMAIL, role: ROLE, reason: REASON } },
    ({ operators, by, body: { email, role, reason } }) => operators.setRole(by, email, role, reason),
  ),
  setDisabled: patch(
    'users/disabled',
    {
      ...BY_OWNERS,
      summary: 'Disable or enable an operator',
      body: { email: EMAIL, disabled: BOOLEAN, reason: REASON },
    },
    ({ operators, by, body: { email, disabled, reason } }) => operators.setDisabled(by, email, disabled, reason),
  ),
});

/** Serves the command line, by which the first operators can be added where no link was printed. */
@Controller()
@UseFilters(new PassThroughRpcFilter())
export class OperatorsRpcController {
  constructor(private readonly operators: ManageOperators) {}

  @Handles(operatorsRpc.add)
  add(request: AddOperatorRequest): Promise<AddedOperator> {
    const user = { email: emailField(request), role: oneOfField(request, 'role', OPERATOR_ROLES) };
    return this.operators.add(managerOf(request), user);
  }

  @Handles(operatorsRpc.list)
  async list(_request: Record<string, never>): Promise<{ data: OperatorDetails[] }> {
    return { data: await this.operators.list() };
  }

  @Handles(operatorsRpc.setDisabled)
  setDisabled(request: { email: string; disabled: boolean; actor?: string }): Promise<OperatorDetails> {
    return this.operators.setDisabled(managerOf(request), emailField(request), request.disabled === true);
  }
}

function managerOf({ actor = 'command line' }: { actor?: string }): Actor {
  return { id: null, email: String(actor).slice(0, 100), request_id: currentCaller().call?.requestId ?? '' };
}
