export { Bus, UnansweredError, connectBus } from './bus';
export { BusModule } from './bus.module';
export { BusServer, PassThroughRpcFilter } from './bus-server';
export type { BusLogger } from './bus-logger';
export {
  type CallContext,
  type Caller,
  callDeadline,
  currentCall,
  currentCaller,
  deadlineIn,
  bypassesBackgroundLimit,
  remainingMs,
  runInCall,
  runWithBackgroundPermit,
  withinMs,
} from './call-context';
export { type NatsConnection, connectNats, closeConnection } from './connection';
export { durableName } from './event-consumer';
export { EVENT_STREAM, EventPublisher } from './event-stream';
export { type EventDelivery, Handles, OnSignal, OnEvent } from './handles.decorator';
export { answersLostSubject, contextOf } from './lost-answers';
export { parseNatsUrl } from './nats-url';
export { PAGE_MAX_BYTES, fitIntoMessage, toPage } from './page';
export { Batcher } from './batching/batcher';
export { batchSubject } from './batching/batch-message';
export { withTimeout } from './with-timeout';
