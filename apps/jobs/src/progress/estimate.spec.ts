import { bucketOf, estimateMs, RecentMean, RunTimeHistogram, sizeClassOf } from './estimate';

function histogramOf(...runMs: number[]): RunTimeHistogram {
  const histogram = new RunTimeHistogram();
  for (const each of runMs) histogram.add(bucketOf(each), 1);
  return histogram;
}

function within(part: number, value: number | null, expected: number): void {
  expect(Math.abs((value ?? Number.NaN) - expected) / expected).toBeLessThan(part);
}

describe('measured run times', () => {
  it('have a median and a mean within five percent', () => {
    const histogram = histogramOf(900, 1_000, 1_100, 30_000, 1_050);
    within(0.05, histogram.medianMs(), 1_050);
    within(0.05, histogram.meanMs, 6_810);
    within(0.05, histogramOf(12).medianMs(), 12);
  });

  it('have a median of those that are longer than the elapsed time', () => {
    const histogram = histogramOf(1_000, 1_000, 1_000, 5_000);
    within(0.05, histogram.medianMs(2_000), 5_000);
    expect(histogram.medianMs(6_000)).toBeNull();
  });

  it('are compared by the number of pixels', () => {
    expect(sizeClassOf({ size: '1024x1024', count: 1 })).toBe(20);
    expect(sizeClassOf({ size: '1152x896', count: 1 })).toBe(20);
    expect(sizeClassOf({ size: '1024x1024', count: 4 })).toBe(22);
    expect(sizeClassOf({ size: 'x', count: 1 })).toBe(0);
  });
});

describe('how many jobs run at once', () => {
  it('is the mean of the last five minutes', () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const mean = new RecentMean();
    expect(mean.value).toBe(0);
    mean.add(9);
    now.mockReturnValue(299_000);
    mean.add(3);
    expect(mean.value).toBe(6);
    now.mockReturnValue(301_000);
    mean.add(1);
    expect(mean.value).toBe(2);
    now.mockRestore();
  });
});

describe('the estimate of an end', () => {
  const runTimes = histogramOf(1_000);
  const facts = { runTimes, modelMeanMs: 1_000, processing: 0, parallel: 0, ahead: null, elapsedMs: 0 };

  it('is the run time of a job that is next and has the instance for itself', () => {
    within(0.05, estimateMs({ ...facts, ahead: 0 }), 1_000);
  });

  it('adds the time until the jobs before it are served, by as many as run at once', () => {
    within(0.05, estimateMs({ ...facts, ahead: 10, processing: 1, parallel: 1 }), 11_500);
    within(0.05, estimateMs({ ...facts, ahead: 10, processing: 1, parallel: 5 }), 3_100);
  });

  it('is what is left of the run time once it runs, and grows with a job that takes longer than all others', () => {
    within(0.1, estimateMs({ ...facts, elapsedMs: 400 }), 600);
    within(0.1, estimateMs({ ...facts, elapsedMs: 8_000 }), 2_000);
  });
});
