import type { SpanShape } from '@kinora/tracing';

export const CLIENT_SPAN: SpanShape = { kind: 'client', attributes: { 'rpc.system': 'nats' } };
export const SERVER_SPAN: SpanShape = { kind: 'server', attributes: { 'rpc.system': 'nats' } };
