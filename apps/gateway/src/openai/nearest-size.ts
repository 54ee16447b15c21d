const SIZE = /^(\d{1,5})x(\d{1,5})$/;

interface Sides {
  width: number;
  height: number;
}

/**
 * The listed size whose ratio is nearest on a logarithmic scale, and of equal ones the nearest in area. A listed size stays as it
 * is, and so does a text that is no size, which the validation of the body then refuses.
 */
export function nearestSize(size: string, listed: readonly string[]): string {
  const wanted = sidesOf(size);
  if (!wanted || listed.includes(size)) return size;
  const [nearest = size] = [...listed].sort(
    (one, other) =>
      ratioDistance(wanted, sidesOf(one)) - ratioDistance(wanted, sidesOf(other)) ||
      areaDistance(wanted, sidesOf(one)) - areaDistance(wanted, sidesOf(other)),
  );
  return nearest;
}

function sidesOf(size: string): Sides | null {
  const [, width = 0, height = 0] = (SIZE.exec(size) ?? []).map(Number);
  return width > 0 && height > 0 ? { width, height } : null;
}

function ratioDistance(wanted: Sides, listed: Sides | null): number {
  if (!listed) return Infinity;
  const distance = Math.abs(Math.log((wanted.width * listed.height) / (wanted.height * listed.width)));
  // Equal ratios differ by rounding, and the area then decides.
  return Math.round(distance * 1e9);
}

function areaDistance(wanted: Sides, listed: Sides | null): number {
  if (!listed) return Infinity;
  return Math.abs(Math.log((wanted.width * wanted.height) / (listed.width * listed.height)));
}
