export { Bus } from './bus';
export { BusModule } from './bus.module';
export { BusServer } from './bus-server';
export type { BusLogger } from './bus-logger';
export {
  type CallContext,
  currentCall,
  deadlineIn,
  needsNoTurn,
  remainingMs,
  runInCall,
  runInTurn,
  withinMs,
} from './call-context';
export { connectBus } from './connect-bus';
export { type NatsConnection, connectNats, leaveBroker } from './connection';
export { durableName } from './event-consumer';
export { EVENT_STREAM, EventPublisher } from './event-stream';
export { type EventDelivery, Handles, Hears, Listens } from './handles.decorator';
export { parseNatsUrl } from './nats-url';
export { PAGE_MAX_BYTES, fitIntoMessage, toPage } from './page';
export { PassThroughRpcFilter } from './pass-through.rpc-filter';
export { Gatherer } from './sets/gatherer';
export { setSubject } from './sets/set-message';
export { withTimeout } from './with-timeout';
