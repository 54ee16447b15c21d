import { Counter, DURATION_BUCKETS_SECONDS, Gauge, Histogram, LiveGauge } from '@kinora/metrics';

export const verdicts = new Counter({
  name: 'kinora_moderation_verdicts_total',
  help: 'What the gate said. Stage: input or output. Outcome: passed, blocked, or failed where it could not answer. Engine: who objected, or none.',
  labelNames: ['stage', 'outcome', 'engine'],
});

export const engineDuration = new Histogram({
  name: 'kinora_moderation_engine_duration_seconds',
  help: 'What engines were asked, canaries included. Content: text, image or video (a frame of it). Outcome: passed, objected or failed.',
  labelNames: ['engine', 'content', 'outcome'],
  buckets: DURATION_BUCKETS_SECONDS,
});

export const canaryOutcome = new Gauge({
  name: 'kinora_moderation_canary_blocked',
  help: '1 where the gate blocked all canaries when it was shown them last, 0 where not: nothing passes it then.',
});

export const canaryShownAt = new Gauge({
  name: 'kinora_moderation_canary_timestamp_seconds',
  help: 'When the gate of this process was shown its canaries last, in Unix time.',
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
