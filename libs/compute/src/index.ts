export { withAgeSafetyTerms, type JsonObject, seedOfOutput } from './instance-definition';
export {
  type CallbackRequest,
  type CancelOutcome,
  type ComputeProvider,
  type FailureKind,
  type FetchOutput,
  InvalidUpstreamOutput,
  type ProviderFailure,
  type ProviderTask,
  ProviderUnreachable,
  type SubmitOutcome,
  type TaskChoice,
  type TaskFacts,
  type TaskLora,
  type UpstreamStatus,
  type UpstreamTask,
} from './compute-provider.port';
export { type InstanceExamination, examineInstance } from './examine-instance';
export { type InstanceSlots, hasFewSlots } from './instance-slots';
export { ProviderCapacities } from './provider-capacities';
export type { Instance } from './provider-loader';
export { type InstanceSources, ProviderRegistry } from './provider-registry';
