import { Module } from '@nestjs/common';
import { Checkouts, Recharger, Reversals } from './background/billing-loops';
import { EmailsModule } from './emails.module';
import { CheckoutCredit } from './payments/checkout-credit';
import { CheckoutLimits } from './payments/checkout-limits';
import { CheckoutRepository } from './payments/checkout.repository';
import { PaymentCustomerRepository } from './payments/payment-customer.repository';
import { DisputeRepository } from './payments/dispute.repository';
import { PaymentRefundRepository } from './payments/payment-refund.repository';
import { PaymentProviders } from './payments/payment-providers';
import { DisputeBooking } from './payments/dispute-booking';
import { RefundBooking } from './payments/refund-booking';
import { RechargeEnd } from './payments/recharge-end';
import { StorageModule } from './storage.module';
import { RefundPayment, SettleRefunds } from './use-cases/refund-payment.use-case';
import { ManageCards } from './use-cases/manage-cards.use-case';
import { CreateCheckout } from './use-cases/create-checkout.use-case';
import { EndPayment } from './use-cases/end-payment.use-case';
import { BeginRecharges, SettlePayments } from './use-cases/recharge-accounts.use-case';
import { RehearseCheckout } from './use-cases/rehearse-checkout.use-case';
import { SetAutoRecharge } from './use-cases/set-auto-recharge.use-case';
import { SettleCheckout, ShowCheckout, SweepCheckouts } from './use-cases/settle-checkouts.use-case';
import { ReceiveReversals } from './use-cases/receive-reversals.use-case';
import { SweepReversals } from './use-cases/sweep-reversals.use-case';
import { WarnOfExpiringCards } from './use-cases/warn-of-expiring-cards.use-case';

const RECHARGES = [SetAutoRecharge, EndPayment, BeginRecharges, SettlePayments, RechargeEnd, Recharger];
const CHECKOUTS = [
  CreateCheckout,
  ShowCheckout,
  CheckoutCredit,
  SettleCheckout,
  SweepCheckouts,
  Checkouts,
  RehearseCheckout,
];

const CARDS = [ManageCards, WarnOfExpiringCards];
const REVERSALS = [
  RefundPayment,
  SettleRefunds,
  ReceiveReversals,
  SweepReversals,
  RefundBooking,
  DisputeBooking,
  Reversals,
];
const STORED = [
  CheckoutLimits,
  CheckoutRepository,
  PaymentCustomerRepository,
  PaymentRefundRepository,
  DisputeRepository,
];

/** The payments of customers: by pages of the payment provider, and of auto-recharge. */
@Module({
  imports: [StorageModule, EmailsModule],
  providers: [...RECHARGES, ...CHECKOUTS, ...CARDS, ...REVERSALS, ...STORED, PaymentProviders],
  exports: [
    PaymentProviders,
    SettleCheckout,
    ReceiveReversals,
    ManageCards,
    RefundPayment,
    SetAutoRecharge,
    EndPayment,
    CreateCheckout,
    ShowCheckout,
    RehearseCheckout,
  ],
})
export class PaymentsModule {}
