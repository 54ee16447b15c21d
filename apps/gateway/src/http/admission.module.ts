import { Module } from '@nestjs/common';
import { AdmissionLeases } from '../leases/admission-leases';
import { KeyWatch } from '../leases/key-watch';
import { AddressBuckets } from './address-buckets';
import { AdmissionHook } from './admission.hook';
import { ApiKeys } from './api-keys';
import { BodyBudget } from './body-budget';
import { CallbackAddresses } from './callback-addresses';

/** Who may send a request, how often, and with how large a body. */
@Module({
  providers: [AdmissionHook, ApiKeys, AddressBuckets, CallbackAddresses, BodyBudget, AdmissionLeases, KeyWatch],
  exports: [AdmissionHook, AddressBuckets, BodyBudget, AdmissionLeases, KeyWatch],
})
export class AdmissionModule {}
