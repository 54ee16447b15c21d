import { barPlaces, widthOf } from './bar-places';

const LABELS = ['$0.005', '$0.01'];

describe('the bars of a chart', () => {
  it.each([
    [324, 30],
    [324, 12],
    [1_055, 30],
  ])('stand beside the labels of the axis, within %i px, however many there are: %i', (width, bars) => {
    const { left, slot, barWidth } = barPlaces(width, bars, LABELS);
    const firstBar = left + (slot - barWidth) / 2;
    expect(firstBar).toBeGreaterThan(Math.max(...LABELS.map(widthOf)));
    expect(left + slot * bars).toBeLessThanOrEqual(width);
  });

  it('take the whole width where the axis has no labels', () => {
    expect(barPlaces(324, 1, [])).toEqual({ left: 4, slot: 316, barWidth: 46 });
  });
});
