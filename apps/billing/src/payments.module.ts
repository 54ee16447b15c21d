import { Module } from '@nestjs/common';
import { Recharger } from './background/billing-loops';
import { PaymentProviders } from './payments/payment-providers';
import { StorageModule } from './storage.module';
import { EndPayment } from './use-cases/end-payment.use-case';
import { BeginRecharges, SettlePayments } from './use-cases/recharge-accounts.use-case';
import { SetAutoRecharge } from './use-cases/set-auto-recharge.use-case';

/** The payments of auto-recharge. */
@Module({
  imports: [StorageModule],
  providers: [SetAutoRecharge, EndPayment, BeginRecharges, SettlePayments, PaymentProviders, Recharger],
  exports: [SetAutoRecharge, EndPayment],
})
export class PaymentsModule {}
