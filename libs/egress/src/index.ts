export { isPublicAddress } from './address-policy';
export { EgressAllowList } from './allow-list';
export {
  Egress,
  type EgressDownload,
  type EgressFetch,
  type EgressOptions,
  type EgressRequest,
  type EgressResponse,
} from './egress';
export { IsEgressAllow } from './allow-list';
export { EgressError, type EgressFailure } from './url-policy';
export { findUrlProblem } from './url-policy';
