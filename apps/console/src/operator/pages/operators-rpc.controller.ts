import { Controller, UseFilters } from '@nestjs/common';
import { Handles, PassThroughRpcFilter, currentCaller } from '@kinora/bus';
import {
  type AddOperatorRequest,
  type AddedOperator,
  OPERATOR_ROLES,
  type OperatorDetails,
  operatorsRpc,
} from '@kinora/contracts/console/operators.rpc';
import { oneOfField } from '../../http/body-fields';
import { emailField } from '../users/email-field';
import type { Actor } from '../audit/audit-trail';
import { ManageOperators } from '../users/manage-operators';

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
