import { escapeXml } from './line-chart';

/** A table of labelled figures. */
export function htmlTable(headings: string[], rows: string[][]): string {
  const line = (cells: string[], tag: 'th' | 'td'): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeXml(cell)}</${tag}>`).join('')}</tr>`;
  const body = rows.map((row) => line(row, 'td'));
  return ['<table>', line(headings, 'th'), ...body, '</table>'].join('\n');
}
