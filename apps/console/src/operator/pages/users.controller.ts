import { Body, Controller, Get, Patch, Post } from '@nestjs/common';
import { type AddedOperator, OPERATOR_ROLES, type OperatorDetails } from '@kinora/contracts/console/operators.rpc';
import { booleanField, oneOfField, reasonField } from '../../http/body-fields';
import { emailField } from '../users/email-field';
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
