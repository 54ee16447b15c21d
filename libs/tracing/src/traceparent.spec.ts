import { parseTraceparent, writeTraceparent } from './traceparent';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';

describe('traceparent', () => {
  it.each(['00', '01'])('is parsed and formatted without change: flags %s', (flags) => {
    const text = `00-${TRACE_ID}-${SPAN_ID}-${flags}`;
    const parent = parseTraceparent(text);
    expect(parent).toEqual({ traceId: TRACE_ID, spanId: SPAN_ID, isSampled: flags === '01' });
    expect(parent && writeTraceparent(parent)).toBe(text);
  });

  it('of a later version may have more fields', () => {
    expect(parseTraceparent(`01-${TRACE_ID}-${SPAN_ID}-03-more`)).toMatchObject({ traceId: TRACE_ID, isSampled: true });
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['of no version', `ff-${TRACE_ID}-${SPAN_ID}-01`],
    ['of no trace', `00-${'0'.repeat(32)}-${SPAN_ID}-01`],
    ['of no span', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['in capitals', `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`],
    ['two of them', `00-${TRACE_ID}-${SPAN_ID}-01, 00-${TRACE_ID}-${SPAN_ID}-01`],
    ['something else', 'knr_live_0000'],
  ])('that is invalid is null: %s', (_, text) => {
    expect(parseTraceparent(text)).toBeNull();
  });
});
