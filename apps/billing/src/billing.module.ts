import { Module } from '@nestjs/common';
import { DatabaseModule } from '@kinora/database';
import { AccountAdminController, StrikesController } from './account.controller';
import { AccountsModule } from './accounts.module';
import { AdmissionController, ApiKeyAdminController, PortalController } from './api-key.controller';
import { BillingPruner } from './background/billing-pruner';
import { BillingController, HealthController, HoldsController } from './billing.controller';
import { CheckoutController } from './checkout.controller';
import { EmailController } from './email.controller';
import { EmailsModule } from './emails.module';
import { KeysModule } from './keys.module';
import { migrations } from './migrations/migrations';
import { BalanceAdminController, LedgerAdminController, PaymentAdminController } from './money-admin.controller';
import { MoneyModule } from './money.module';
import { PaymentEventsController } from './payment-events.controller';
import { PaymentsModule } from './payments.module';
import { OwnMoneyController, OwnStatementController, SelfServiceController } from './self-service.controller';
import { StorageModule } from './storage.module';
import { MembersController, UserAdminController, UserController } from './user.controller';
import { UsersModule } from './users.module';

const FEATURES = [AccountsModule, KeysModule, MoneyModule, PaymentsModule, EmailsModule, UsersModule];

/** A controller serves one kind of caller, and so may call several features. */
@Module({
  imports: [DatabaseModule.forContext('billing', migrations), StorageModule, ...FEATURES],
  controllers: [
    BillingController,
    AdmissionController,
    HoldsController,
    AccountAdminController,
    ApiKeyAdminController,
    SelfServiceController,
    PortalController,
    OwnMoneyController,
    OwnStatementController,
    BalanceAdminController,
    LedgerAdminController,
    PaymentAdminController,
    CheckoutController,
    PaymentEventsController,
    StrikesController,
    EmailController,
    UserController,
    MembersController,
    UserAdminController,
    HealthController,
  ],
  providers: [BillingPruner],
})
export class BillingModule {}
