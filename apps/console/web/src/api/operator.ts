import type { components } from './console-api';

type Schemas = components['schemas'];

export const OPERATOR = '/admin/v1/operator';
export const OPERATOR_SESSION = `${OPERATOR}/session`;

export type OperatorSession = Schemas['OperatorSession'];
export type Permission = OperatorSession['permissions'][number];
export type Role = Schemas['OperatorDetails']['role'];
export const ROLES = ['owner', 'finance', 'support', 'viewer'] as const satisfies readonly Role[];

/** A part whose service does not answer is null. */
export type Overview = Schemas['Overview'];
export type LedgerReport = Schemas['LedgerReport'];
export type LedgerDay = Schemas['LedgerDay'];
export type LedgerDays = Schemas['LedgerDays'];

export type Setup = Schemas['Setup'];
export type OpenedAccount = Schemas['OpenedAccount'];
export type CreatedKey = Schemas['CreatedKey'];
export type KeyDetails = Schemas['ApiKeyDetails'];

export type AccountSummary = Schemas['AccountSummary'];
export type AccountDetails = Schemas['AccountDetails'];
export type Payment = Schemas['PaymentDetails'];
export type StatementLine = Schemas['StatementLine'];
export type OperatorAction = Schemas['OperatorAction'];

export type JobSummary = Schemas['JobSummary'];
export type Attempt = Schemas['JobAttempt'];
export type JobPrice = Schemas['ReceiptPrice'];
export type ComputeInstance = Schemas['ComputeInstance'];
export type ComputeState = Schemas['ComputeState'];
export type LastHour = Schemas['LastHour'];
export type ComputeExamination = Schemas['ComputeExamination'];
export type OperatorModel = Schemas['ModelDetails'];
export type PriceChange = Schemas['PriceChange'];

export type Appeal = Schemas['AppealDetails'];
export type ComplianceReport = Schemas['ComplianceReport'];
export type ComplianceLine = Schemas['ComplianceLine'];

export type Decision = Schemas['DecisionDetails'];
export type Strike = Schemas['StrikeDetails'];
export type PolicyReplay = Schemas['PolicyReplay'];
export type Email = Schemas['ShownEmail'];
export type FailingEndpoint = Schemas['FailingEndpoint'];

export type AuditEntry = Schemas['AuditEntry'];
export type OperatorUser = Schemas['OperatorDetails'];
