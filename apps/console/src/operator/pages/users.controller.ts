import { Body, Controller, Get, Patch, Post, UseFilters } from '@nestjs/common';
import {
  type AddedOperator,
  type AddOperatorRequest,
  OPERATOR_ROLES,
  type OperatorDetails,
  operatorsRpc,
} from '@kinora/contracts/console/operators.rpc';
import { currentCaller, Handles, PassThroughRpcFilter } from '@kinora/bus';
import { booleanField, emailField, oneOfField, reasonField } from '../../http/body-fields';
import type { Actor } from '../audit/audit-trail';
import { ManageOperators } from '../users/manage-operators';
import { CurrentOperator, type Operator } from '../users/operator';
import { Requires } from '../users/permissions';

/** The operators themselves. */
@Controller('admin/v1/operator/users')
export class UsersController {
  constructor(private readonly operators: ManageOperators) {}

  @Get()
  @Requires('manage_users')
  async list(): Promise<{ data: OperatorDetails[] }> {
    return { data: await this.operators.list() };
  }

  @Post()
  @Requires('manage_users', { isConfirmed: true })
  add(@CurrentOperator() by: Operator, @Body() body: unknown): Promise<AddedOperator> {
    const user = { email: emailField(body), role: oneOfField(body, 'role', OPERATOR_ROLES) };
    return this.operators.add(by, user, reasonField(body));
  }

  @Patch('role')
  @Requires('manage_users', { isConfirmed: true })
  setRole(@CurrentOperator() by: Operator, @Body() body: unknown): Promise<OperatorDetails> {
    const [email, role] = [emailField(body), oneOfField(body, 'role', OPERATOR_ROLES)];
    return this.operators.setRole(by, email, role, reasonField(body));
  }

  @Patch('disabled')
  @Requires('manage_users', { isConfirmed: true })
  setDisabled(@CurrentOperator() by: Operator, @Body() body: unknown): Promise<OperatorDetails> {
    const [email, isDisabled] = [emailField(body), booleanField(body, 'disabled')];
    return this.operators.setDisabled(by, email, isDisabled, reasonField(body));
  }
}

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
