import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import {
  type Admission,
  type AdmitRequest,
  type FindInvalidKeysRequest,
  type ReturnLeaseRequest,
  billingRpc,
} from '@kinora/contracts/billing/billing.rpc';
import { Admit } from './use-cases/admit/admit.use-case';
import { FindInvalidKeys } from './use-cases/find-invalid-keys/find-invalid-keys.query';
import { ReturnLease } from './use-cases/return-lease/return-lease.use-case';

/** Serves the gateways' requests about keys and their rates. */
@Controller()
export class AdmissionController {
  constructor(
    private readonly admitUseCase: Admit,
    private readonly findInvalidKeysQuery: FindInvalidKeys,
    private readonly returnLeaseUseCase: ReturnLease,
  ) {}

  @Handles(billingRpc.admit)
  admit(request: AdmitRequest): Promise<Admission> {
    return this.admitUseCase.execute(request);
  }

  @Handles(billingRpc.findInvalidKeys)
  findInvalidKeys(request: FindInvalidKeysRequest): Promise<{ key_sha256s: string[] }> {
    return this.findInvalidKeysQuery.execute(request);
  }

  @Handles(billingRpc.returnLease)
  returnLease(request: ReturnLeaseRequest): Promise<Record<string, never>> {
    return this.returnLeaseUseCase.execute(request);
  }
}
