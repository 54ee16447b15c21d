import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import {
  type CheckProvenanceRequest,
  type ProvenanceCheck,
  provenanceRpc,
} from '@kinora/contracts/moderation/provenance.rpc';
import { CheckProvenance } from './use-cases/check-provenance.query';

/** The question of strangers where a file comes from. */
@Controller()
export class ProvenanceController {
  constructor(private readonly checkProvenance: CheckProvenance) {}

  @Handles(provenanceRpc.check)
  check(request: CheckProvenanceRequest): Promise<ProvenanceCheck> {
    return this.checkProvenance.execute(request);
  }
}
