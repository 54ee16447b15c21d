import { Counter, DURATION_BUCKETS_SECONDS, Gauge, Histogram, LiveGauge } from '@kinora/metrics';

export const verdicts = new Counter({
  name: 'kinora_moderation_verdicts_total',
  help: 'Verdicts of the gate. Stage: input or output. Outcome: passed, blocked, unreadable for a file that does not decode, or failed where an engine gave no answer. Engine: the engine that objected, or none.',
  labelNames: ['stage', 'outcome', 'engine'],
});

export const engineDuration = new Histogram({
  name: 'kinora_moderation_engine_duration_seconds',
  help: 'Judgements of engines, canaries included. Content: text, image or video (a frame of it). Outcome: passed, objected or failed.',
  labelNames: ['engine', 'content', 'outcome'],
  buckets: DURATION_BUCKETS_SECONDS,
});

export const canaryOutcome = new Gauge({
  name: 'kinora_moderation_canary_blocked',
  help: '1 while the gate blocks all canaries, 0 after one passed: the gate then passes nothing.',
});

export const canaryShownAt = new Gauge({
  name: 'kinora_moderation_canary_timestamp_seconds',
  help: 'Time of the last canary check of this process, in Unix time.',
});

export const heldFileBytes = new LiveGauge({
  name: 'kinora_moderation_file_bytes',
  help: 'Bytes of the images and videos that this process holds to judge them; KINORA_MODERATION_FILES_MAX_BYTES bounds them.',
  labelNames: [],
});

export const decodesUnderWay = new LiveGauge({
  name: 'kinora_moderation_decodes_under_way',
  help: 'Images and videos that this process decodes now; KINORA_MODERATION_DECODES bounds each of the two.',
  labelNames: [],
});
