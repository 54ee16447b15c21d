import { Injectable } from '@nestjs/common';
import type { ReturnLeaseRequest } from '@kinora/contracts/billing/billing.rpc';
import { LeaseRepository } from '../../rate-limit/lease.repository';

/** Ends a lease of a gateway: the bucket gets the unused tokens back, as if they had never been taken. */
@Injectable()
export class ReturnLease {
  constructor(private readonly leases: LeaseRepository) {}

  async execute(request: ReturnLeaseRequest): Promise<Record<string, never>> {
    await this.leases.giveBack(request);
    return {};
  }
}
