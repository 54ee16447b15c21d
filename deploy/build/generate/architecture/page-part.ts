/** Replaces the generated part of a page. @throws if the page has no markers for it */
export function putPart(page: string, part: string, body: string): string {
  const [begin, end] = [`<!-- drawn: ${part} -->`, '<!-- end -->'];
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`The page has no markers for ${part}: ${begin} … ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${body}\n\n${page.slice(to)}`;
}
