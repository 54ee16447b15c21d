import type { ProvenanceCheckBody } from '@kinora/contracts/jobs/provenance-check.body';
import type { ProvenanceCheck } from '@kinora/contracts/moderation/provenance.rpc';

export const PROVENANCE_REQUEST: ProvenanceCheckBody = { image: 'https://images.example/found.jpg' };

export const PROVENANCE_CHECK: ProvenanceCheck = {
  object: 'provenance.check',
  result: 'similar',
  credential: null,
  match: { exact: false, distance_bits: 14, created_at: '2026-11-20T09:00:04.310Z', model: 'general-image' },
};
