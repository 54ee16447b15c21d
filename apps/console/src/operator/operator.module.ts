import { Module } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { RequestsModule } from '../requests/requests.module';
import { SessionModule } from '../session/session.module';
import { AuditController } from './pages/audit.controller';
import { AuditTrail } from './audit/audit-trail';
import { CheckResults } from './checks/check-results';
import { ChecksRpcController } from './checks/checks-rpc.controller';
import { OidcController } from './oidc/oidc.controller';
import { OidcSignIn } from './oidc/oidc-sign-in';
import { OperatorBus } from './users/operator';
import { AccountActionsController, AccountsController, PortalLinksController } from './pages/accounts.controller';
import { ComputeController } from './pages/compute.controller';
import { FileClient } from '../http/file-client';
import { JobMediaController, OperatorJobsController } from './pages/jobs.controller';
import { ComplianceController } from './pages/compliance.controller';
import { EmailsController } from './pages/emails.controller';
import { ModerationController } from './pages/moderation.controller';
import { OperatorServices } from './pages/operator-route';
import { OverviewController } from './pages/overview.controller';
import { PricesController } from './pages/prices.controller';
import { OperatorWebhooksController } from './pages/webhooks.controller';
import { OperatorSessionController } from './sign-in/operator-session.controller';
import { OperatorSignIn } from './sign-in/operator-sign-in';
import { RequestsController } from './requests/requests.controller';
import { StoreRequests } from './requests/store-requests';
import { ManageOperators } from './users/manage-operators';
import { OperatorHook } from './users/operator.hook';
import { OperatorUserRepository } from './users/operator-user.repository';
import { SetupLinkPruner } from './users/setup-link-pruner';
import { OperatorsRpcController, UsersController } from './pages/users.controller';

const PAGES = [
  OverviewController,
  AccountsController,
  AccountActionsController,
  PortalLinksController,
  OperatorJobsController,
  JobMediaController,
  ComputeController,
  PricesController,
  ModerationController,
  ComplianceController,
  OperatorWebhooksController,
  EmailsController,
  AuditController,
  UsersController,
];

/** The operators' half of the console. The process's own connection has its rights, alone and beside the customer half. */
@Module({
  imports: [SessionModule, RequestsModule],
  controllers: [
    ...[OperatorSessionController, OidcController, OperatorsRpcController, ChecksRpcController, RequestsController],
    ...PAGES,
  ],
  providers: [
    { provide: OperatorBus, useExisting: Bus },
    ...[OperatorHook, OperatorUserRepository, OperatorSignIn, ManageOperators, SetupLinkPruner],
    ...[OidcSignIn, AuditTrail, CheckResults, FileClient, StoreRequests, OperatorServices],
  ],
})
export class OperatorModule {}
