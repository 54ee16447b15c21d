// Entry point for programs that only send requests. It leaves out all that needs Nest, because loading Nest would take most of
// a short run.
export { Bus, connectBus } from './bus';
export { type CallContext, currentCall, deadlineIn, remainingMs, runInCall } from './call-context';
export { natsTlsFilesIn } from './connection';
export { parseNatsUrl } from './nats-url';
export { withTimeout } from './with-timeout';
