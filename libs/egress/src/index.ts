export { isPublicAddress } from './address-policy';
export { EgressAllowList } from './allow-list';
export { IsEgressAllow } from './egress-allow.decorator';
export { findUrlProblem } from './url-policy';
