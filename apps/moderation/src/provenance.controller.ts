import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { complianceRpc, type ComplianceReport } from '@kinora/contracts/moderation/compliance.rpc';
import {
  type CheckProvenanceRequest,
  type ProvenanceCheck,
  provenanceRpc,
} from '@kinora/contracts/moderation/provenance.rpc';
import { CheckProvenance } from './use-cases/check-provenance.query';
import { ShowCompliance } from './use-cases/show-compliance.query';

/** Where a file comes from, and what an operator has set up so that this can be told. */
@Controller()
export class ProvenanceController {
  constructor(
    private readonly checkProvenance: CheckProvenance,
    private readonly showCompliance: ShowCompliance,
  ) {}

  @Handles(complianceRpc.show)
  show(_request: Record<string, never>): Promise<ComplianceReport> {
    return this.showCompliance.execute();
  }

  @Handles(provenanceRpc.check)
  check(request: CheckProvenanceRequest): Promise<ProvenanceCheck> {
    return this.checkProvenance.execute(request);
  }
}
