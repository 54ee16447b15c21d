import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The last two cells of a row are a file and a text in that file. */
const ROW = /^\|.*\[[^\]]+\]\((?<link>[^)]+)\)[^|]*\| *`(?<text>[^`]+)` *\|$/;

/** The number of rows of a table of questions, and the rows that name a text which their file does not hold. */
export function checkWays(root: string, page: string): { count: number; wrong: string[] } {
  const rows = sectionOf(page)
    .split('\n')
    .slice(2)
    .filter((line) => line.startsWith('|'));
  const wrong = rows.flatMap((row) => {
    const { link = '', text = '' } = ROW.exec(row)?.groups ?? {};
    if (link === '') return [`${row} names no file and no text`];
    const file = path.join(root, link.replace(/#.*/, ''));
    if (!existsSync(file)) return [`${link} does not exist`];
    return readFileSync(file, 'utf8').includes(text) ? [] : [`${link} does not hold ${text}`];
  });
  return { count: rows.length, wrong };
}

function sectionOf(page: string): string {
  return /^### Find your way\n+(?<table>(?:\|.*\n)+)/m.exec(page)?.groups?.['table'] ?? '';
}
