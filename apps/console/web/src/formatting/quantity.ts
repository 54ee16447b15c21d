const UNITS = ['B', 'KiB', 'MiB', 'GiB'];

export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

export const formatCount = (count: number) => count.toLocaleString('en-US');

/** `1 image`, `3 images`. */
export const formatQuantity = (count: number, unit: string) => `${formatCount(count)} ${unit}${count === 1 ? '' : 's'}`;

/** A rounded upper end of a chart's axis, so that its grid lines have short labels. */
export function axisEnd(greatest: number): number {
  if (greatest <= 0) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(greatest));
  return ([1, 2, 2.5, 5, 10].find((step) => step * magnitude >= greatest) ?? 10) * magnitude;
}
