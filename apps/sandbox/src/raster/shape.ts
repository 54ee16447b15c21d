/** x, y pairs in pixels. */
export type Outline = readonly (readonly [x: number, y: number])[];

export function circle(cx: number, cy: number, radiusX: number, radiusY = radiusX): Outline {
  const corners = 48;
  return Array.from({ length: corners }, (_, i) => {
    const angle = (i / corners) * Math.PI * 2;
    return [cx + Math.cos(angle) * radiusX, cy + Math.sin(angle) * radiusY] as const;
  });
}

/** A line with a width at each of its points: a branch, a rope, a bolt. */
export function ribbon(points: Outline, widthAt: (t: number) => number): Outline {
  const left: (readonly [number, number])[] = [];
  const right: (readonly [number, number])[] = [];
  points.forEach(([x, y], i) => {
    const [fromX, fromY] = points[Math.max(0, i - 1)]!;
    const [toX, toY] = points[Math.min(points.length - 1, i + 1)]!;
    const length = Math.hypot(toX - fromX, toY - fromY) || 1;
    const half = widthAt(points.length > 1 ? i / (points.length - 1) : 0) / 2;
    left.push([x - ((toY - fromY) / length) * half, y + ((toX - fromX) / length) * half]);
    right.push([x + ((toY - fromY) / length) * half, y - ((toX - fromX) / length) * half]);
  });
  return [...left, ...right.reverse()];
}
