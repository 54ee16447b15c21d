export { isPublicAddress } from './address-policy';
export { EgressAllowList } from './allow-list';
export { IsEgressAllow } from './egress-allow.validator';
export { findUrlProblem } from './url-policy';
