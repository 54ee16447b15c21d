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
export { IsEgressAllow } from './egress-allow.decorator';
export { EgressError, type EgressFailure } from './egress-error';
export { findUrlProblem } from './url-policy';
