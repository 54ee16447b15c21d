export { Kinora, type LoraPage, type UsageParameters } from './kinora';
export {
  APIError,
  AuthenticationError,
  CapacityError,
  ConnectionError,
  ContentBlockedError,
  IdempotencyConflictError,
  InsufficientBalanceError,
  InvalidRequestError,
  JobFailedError,
  JobPendingError,
  KinoraError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  WebhookVerificationError,
} from './errors';
export type { ClientOptions, Logger } from './client-settings.config';
export type { CreateOptions, GenerateOptions } from './creations';
export type { DeliveryFilters, FeedEvent, FeedParameters, PageParameters } from './account';
export type { DownloadOptions, DownloadedFile } from './download';
export type { JobEvent, JobFilters } from './jobs';
export type { ListCall, Page } from './list-call';
export type { PublicKeySet } from './receipts';
export type { CallOptions, Operation } from './transport';
export type { WaitOptions } from './job-wait';
export type { WebhookHeaders } from './webhook-signature';
export { unwrapWebhook } from './webhook-signature';
export { VERSION } from './transport';
export type {
  Account,
  ApiKey,
  Appeal,
  DeletedApiKey,
  ImageEdit,
  ImageGeneration,
  ImageJob,
  ImageOutput,
  ImageSides,
  ImageSource,
  IssuedApiKey,
  IssuedWebhookSecret,
  Job,
  JobProgress,
  Lora,
  Model,
  NewKey,
  Ping,
  ProvenanceCheck,
  Quote,
  QuoteRequest,
  Receipt,
  AccountStatementList,
  StatementEntry,
  SucceededJob,
  Usage,
  VideoGeneration,
  VideoJob,
  VideoOutput,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookEvent,
} from './resources';
