import os from 'node:os';
import { escapeXml } from './line-chart';

export interface Section {
  heading: string;
  /** What the figures show, in a sentence or two. */
  caption: string;
  /** Plots as SVG elements, and tables. */
  figures: string[];
}

const STYLE = `
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 1200px; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; }
  h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
  p { max-width: 75ch; }
  .figures { display: flex; flex-wrap: wrap; gap: 1rem; }
  .figures svg { flex: 1 1 480px; max-width: 100%; }
  table { border-collapse: collapse; } th, td { padding: .2rem 1rem .2rem 0; text-align: left; border-bottom: 1px solid #d8dee4; }
  svg text { font: 11px system-ui, sans-serif; fill: #1b1f24; }
  svg .title { font-size: 14px; font-weight: 600; text-anchor: middle; }
  svg .tick, svg .axis { text-anchor: middle; } svg .end { text-anchor: end; } svg .start { text-anchor: start; }
  svg .frame { font: 10px ui-monospace, monospace; text-anchor: start; }
  svg .rule { stroke: #d8dee4; }`;

/** One self-contained file that needs no network. */
export function htmlPage(title: string, sections: Section[]): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeXml(title)}</title>
<style>${STYLE}
</style></head>
<body>
<h1>${escapeXml(title)}</h1>
<p>${escapeXml(machine())} Load generator, services, NATS and PostgreSQL share it. Figures of one machine and one run: only
what is measured beside each other can be compared.</p>
${sections.map(sectionHtml).join('\n')}
</body>
</html>
`;
}

function sectionHtml({ heading, caption, figures }: Section): string {
  return `<h2>${escapeXml(heading)}</h2>\n<p>${escapeXml(caption)}</p>\n<div class="figures">\n${figures.join('\n')}\n</div>`;
}

function machine(): string {
  const cpus = os.cpus();
  const memoryGib = Math.round(os.totalmem() / 2 ** 30);
  return `${cpus.length} × ${cpus[0]?.model ?? 'unknown processor'}, ${memoryGib} GiB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`;
}
