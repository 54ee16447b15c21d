import { TestCollector, waitFor } from '@kinora/testing';
import {
  type SpanShape,
  captureTrace,
  currentTraceId,
  currentTraceparent,
  inSpan,
  inTrace,
  openSpan,
  startTracing,
} from '.';

const WORK: SpanShape = { kind: 'internal' };
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const KEPT = `00-${TRACE_ID}-b7ad6b7169203331-01`;
const NOT_KEPT = `00-${TRACE_ID}-b7ad6b7169203331-00`;

describe('tracing', () => {
  let collector: TestCollector;
  let stop: () => Promise<void>;
  const states: string[] = [];

  const start = (ratio = 1): Promise<() => Promise<void>> =>
    startTracing({
      endpoint: collector.endpoint,
      headers: 'x-key=a%20key,x-tenant=t',
      service: 'tracing_spec',
      ratio,
      exportEveryMs: 10,
      onStateChange: (state) => states.push(state),
    });

  beforeAll(async () => {
    collector = await TestCollector.start();
  });
  beforeEach(async () => {
    collector.spans.length = 0;
    collector.status = 200;
    states.length = 0;
    stop = await start();
  });
  afterEach(() => stop());
  afterAll(() => collector.close());

  const named = (name: string) => collector.spans.find((span) => span.name === name);

  it('nests spans across everything that is awaited', async () => {
    await inTrace(KEPT, 'outer', { kind: 'consumer' }, async () => {
      await Promise.resolve();
      await inSpan('inner', { kind: 'client', attributes: { 'db.system.name': 'postgresql' } }, async (span) => {
        span.set({ rows: 2 });
      });
    });
    await stop();
    const [outer, inner] = [named('outer'), named('inner')];
    expect(outer).toMatchObject({
      service: 'tracing_spec',
      kind: 'consumer',
      traceId: TRACE_ID,
      parentSpanId: 'b7ad6b7169203331',
    });
    expect(inner).toMatchObject({ kind: 'client', traceId: TRACE_ID, parentSpanId: outer?.spanId, isError: false });
    expect(collector.headers).toMatchObject({ 'x-key': 'a key', 'x-tenant': 't' });
    expect(inner?.attributes).toEqual({ 'db.system.name': 'postgresql', rows: 2 });
  });

  it('continues in another process by its traceparent, and with work that runs later', async () => {
    let later = (): Promise<void> => Promise.resolve();
    let traceparent: string | undefined;
    await inTrace(KEPT, 'asking', WORK, async () => {
      traceparent = currentTraceparent();
      const enter = captureTrace();
      later = () => enter(() => inSpan('put_aside', WORK, async () => undefined));
    });
    expect(currentTraceId()).toBeUndefined();
    await later();
    await inTrace(traceparent, 'answering', WORK, async () => undefined);
    await stop();
    const spanId = named('asking')?.spanId;
    expect([named('put_aside')?.parentSpanId, named('answering')?.parentSpanId]).toEqual([spanId, spanId]);
  });

  it('records the code of a failure and nothing else', async () => {
    const failure = Object.assign(new Error('a prompt'), { code: 'insufficient_balance' });
    await expect(inTrace(KEPT, 'failing', WORK, () => Promise.reject(failure))).rejects.toBe(failure);
    await stop();
    expect(named('failing')).toMatchObject({ isError: true, attributes: { 'error.type': 'insufficient_balance' } });
    expect(collector.bodies.join()).not.toContain('a prompt');
  });

  it('begins no trace by itself, only at an incoming request', async () => {
    await inSpan('poll', WORK, async () => undefined);
    await inTrace(null, 'sweep', WORK, async () => undefined);
    const span = openSpan('no traceparent', 'request', { kind: 'server' });
    await span?.enter(() => inSpan('below', WORK, async () => undefined));
    span?.end('internal_error');
    await stop();
    expect(collector.spans.map(({ name }) => name).sort()).toEqual(['below', 'request']);
    expect(named('request')).toMatchObject({ parentSpanId: undefined, isError: true });
    expect(named('below')?.parentSpanId).toBe(named('request')?.spanId);
  });

  it.each([
    ['a plain one', KEPT],
    ['one of a later version, with more fields', `01-${TRACE_ID}-b7ad6b7169203331-03-more`],
  ])('continues the trace of its sender: %s', async (_, traceparent) => {
    openSpan(traceparent, 'known', WORK)?.end();
    await stop();
    expect(named('known')).toMatchObject({ traceId: TRACE_ID, parentSpanId: 'b7ad6b7169203331' });
  });

  it.each([
    ['empty', ''],
    ['of no version', `ff-${TRACE_ID}-b7ad6b7169203331-01`],
    ['of no trace', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
    ['of no span', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['in capitals', `00-${TRACE_ID.toUpperCase()}-b7ad6b7169203331-01`],
    ['two of them', `${KEPT}, ${KEPT}`],
    ['something else', 'knr_live_0000'],
  ])('begins a new trace if the traceparent is invalid: %s', async (_, traceparent) => {
    openSpan(traceparent, 'own', WORK)?.end();
    await stop();
    expect(named('own')?.parentSpanId).toBeUndefined();
    expect(named('own')?.traceId).not.toBe(TRACE_ID);
  });

  it('records what its sender records, and otherwise the configured share', async () => {
    await stop();
    stop = await start(0);
    openSpan(null, 'new', WORK)?.end();
    await inTrace(NOT_KEPT, 'not_kept', WORK, async () => expect(currentTraceparent()).toMatch(/-00$/));
    await inTrace(KEPT, 'kept', WORK, async () => undefined);
    await stop();
    expect(collector.spans.map(({ name }) => name)).toEqual(['kept']);
  });

  it('drops spans that cannot be exported, reports it once, and continues', async () => {
    collector.status = 400;
    await inTrace(KEPT, 'lost', WORK, async () => undefined);
    await waitFor(() => states.includes('lost'));
    await inTrace(KEPT, 'lost_too', WORK, async () => undefined);
    collector.status = 200;
    await waitFor(async () => {
      await inTrace(KEPT, 'taken', WORK, async () => undefined);
      return states.includes('taken');
    });
    expect(states).toEqual(['lost', 'taken']);
  });

  it('only runs the work when no collector is configured', async () => {
    await stop();
    stop = await startTracing({
      endpoint: '',
      headers: '',
      service: 's',
      ratio: 1,
      exportEveryMs: 10,
      onStateChange: () => undefined,
    });
    expect(await inTrace(KEPT, 'work', WORK, async () => currentTraceId() ?? 'none')).toBe('none');
    expect(openSpan(KEPT, 'request', WORK)).toBeNull();
  });
});
