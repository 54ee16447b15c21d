/** What an e-mail says. Every text is plain; a link is an address of the console. */
export interface EmailContent {
  subject: string;
  paragraphs: readonly string[];
  link?: { label: string; url: string };
  /** Why the recipient gets it. */
  reason: string;
}

export interface EmailTexts {
  text: string;
  html: string;
}

/** Neither images nor trackers, and the same words in both forms. */
export function writeEmail({ paragraphs, link, reason }: EmailContent): EmailTexts {
  const parts = [...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), `-- \n${reason}`];
  const body = [
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(link ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`] : []),
    `<p style="color:#666;font-size:13px">${escapeHtml(reason)}</p>`,
  ];
  return { text: `${parts.join('\n\n')}\n`, html: page(body.join('\n')) };
}

/** Without line breaks and control characters, which could end the header. */
export function toSubject(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim();
}

function page(body: string): string {
  const style = 'font:16px/1.5 system-ui,sans-serif;max-width:34em;margin:2em auto;padding:0 1em';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><body style="${style}">\n${body}\n</body></html>\n`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
