// The face for programs that only ask: it leaves out whatever needs Nest, whose loading would take most of a short run.
export { Bus } from './bus';
export { type CallContext, currentCall, deadlineIn, remainingMs, runInCall } from './call-context';
export { connectBus } from './connect-bus';
export { parseNatsUrl } from './nats-url';
export { withTimeout } from './with-timeout';
