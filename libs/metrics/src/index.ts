export { Counter, collectDefaultMetrics, register } from 'prom-client';
export { DURATION_BUCKETS_SECONDS, WAIT_BUCKETS_SECONDS } from './histogram';
export { Gauge, LiveGauge } from './gauge';
export { Histogram, type Observations } from './histogram';
export { startStopwatch } from './histogram';
