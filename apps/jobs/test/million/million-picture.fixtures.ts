/** The pages that a piece of work reads at each size. */
export interface Growth {
  name: string;
  pages: number[];
}

const [WIDTH, ROW, LEFT, RIGHT] = [720, 36, 230, 620];
const COLOUR = '#2f6fde';

/** A line for each piece of work, as high as its pages compared with those at the first size. */
export function drawGrowth(sizes: number[], rows: Growth[]): string {
  const xOf = (place: number) => LEFT + (place * (RIGHT - LEFT)) / (sizes.length - 1);
  const header = sizes.map(
    (size, place) => `<text x="${xOf(place)}" y="16" text-anchor="middle">${size.toLocaleString('en')} jobs</text>`,
  );
  const lines = rows.map(({ name, pages }, index) => {
    const base = (index + 2) * ROW - 8;
    const yOf = (count: number) => Math.round(base - (12 * count) / (pages[0] ?? 1));
    const points = pages.map((count, place) => `${xOf(place)},${yOf(count)}`).join(' ');
    const numbers = pages.map(
      (count, place) => `<text x="${xOf(place)}" y="${yOf(count) - 4}" text-anchor="middle">${count}</text>`,
    );
    return `<text y="${base}">${name}</text><polyline fill="none" stroke="${COLOUR}" stroke-width="2" points="${points}"/>${numbers.join('')}`;
  });
  const frame = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${(rows.length + 1) * ROW + 12}" font-family="sans-serif" font-size="13" fill="gray">`;
  return [frame, ...header, ...lines, '</svg>', ''].join('\n');
}
