export { Counter, collectDefaultMetrics, register } from 'prom-client';
export { DURATION_BUCKETS_SECONDS, WAIT_BUCKETS_SECONDS } from './histogram';
export { Gauge } from './gauge';
export { Histogram, type Observations } from './histogram';
export { LiveGauge } from './live-gauge';
export { startStopwatch } from './histogram';
