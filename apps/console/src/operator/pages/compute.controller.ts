import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { type ModelDetails, catalogAdminRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { type ComputeExamination, type ComputeState, jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { AuditTrail } from '../audit/audit-trail';
import { CurrentOperator, type Operator, OperatorBus } from '../users/operator';
import { Requires } from '../users/permissions';
import { booleanField, reasonField } from '../../http/body-fields';

/** The compute instances, and the models that run on them. */
@Controller('admin/v1/operator')
export class ComputeController {
  constructor(
    private readonly bus: OperatorBus,
    private readonly audit: AuditTrail,
  ) {}

  @Get('compute')
  @Requires('view')
  showCompute(): Promise<ComputeState> {
    return this.bus.request(jobsAdminRpc.showCompute, {});
  }

  /** Asks every instance, so it runs when an operator asks for it and never by itself. */
  @Get('compute/examination')
  @Requires('view')
  examine(): Promise<ComputeExamination> {
    return this.bus.request(jobsRpc.examineProviders, {});
  }

  @Get('models')
  @Requires('view')
  listModels(): Promise<{ data: ModelDetails[] }> {
    return this.bus.request(catalogAdminRpc.listAllModels, {});
  }

  @Patch('models/:id')
  @Requires('switch_models')
  async switchModel(
    @CurrentOperator() by: Operator,
    @Param('id') model: string,
    @Body() body: unknown,
  ): Promise<ModelDetails> {
    const [enabled, reason] = [booleanField(body, 'enabled'), reasonField(body)];
    const { data } = await this.bus.request(catalogAdminRpc.listAllModels, {});
    const known = data.find((each) => each.model.id === model);
    const before = known && { before: { enabled: known.enabled } };
    const entry = { action: 'switch_model', target: model, reason, ...before, after: { enabled } };
    return this.audit.run(by, entry, () => this.bus.request(catalogAdminRpc.setModelEnabled, { model, enabled }));
  }
}
