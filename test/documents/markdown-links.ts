import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Folders whose files this repository does not own. */
const FOREIGN = new Set(['node_modules', 'dist', '.git', '.kinora']);
const FENCE = /^ *(```|~~~)[^\n]*\n.*?^ *\1 *$/gms;
const INLINE_CODE = /(`+)(?!`).*?[^`]\1(?!`)/gs;
const LINK = /!?\[(?:[^[\]]|\[[^[\]]*\])*\]\(\s*<?([^()\s>]*(?:\([^()\s]*\)[^()\s>]*)*)>?(?:\s+["'][^"']*["'])?\s*\)/g;
const DEFINITION = /^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s+["'(].*)?$/gm;
const SOURCE = /<(?:img|a|source)\b[^>]*?\b(?:src|href)="([^"]*)"/g;
/** Inline code that is a path from the root of the repository, or below `src` from the folder of the page. */
const PATH = /(?<!`)`((?:apps|libs|test|deploy|docs|src)\/[\w./-]+)`(?!`)/g;
/** Files that the reader of a guide creates. */
const CREATED = ['deploy/docker/secrets.env', 'deploy/docker/config', 'src/acme/'];
const ADDRESS = /^[a-z][a-z0-9+.-]*:/i;

/** Every Markdown file under a folder, as paths from it. */
export function markdownFiles(root: string, folder = ''): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return FOREIGN.has(entry.name) ? [] : markdownFiles(root, file);
      return entry.isFile() && file.endsWith('.md') ? [file] : [];
    })
    .sort();
}

/** The broken links of one file within the repository; external addresses are not requested. */
export function brokenLinks(root: string, file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return linksIn(text).flatMap((link) => {
    const problem = problemOf(root, file, link);
    return problem === null ? [] : [`${file}: ${link} ${problem}`];
  });
}

/** The paths in inline code of one file that name nothing. */
export function missingPaths(root: string, file: string): string[] {
  const prose = readFileSync(path.join(root, file), 'utf8').replace(FENCE, '');
  const paths = [...prose.matchAll(PATH)].map(([, named = '']) => named);
  return paths
    .filter((named) => !CREATED.includes(named))
    .filter((named) => !existsSync(path.join(root, named.startsWith('src/') ? path.dirname(file) : '', named)))
    .map((named) => `${file}: \`${named}\` does not exist`);
}

export function linksIn(text: string): string[] {
  const prose = text.replace(FENCE, '').replace(INLINE_CODE, '``');
  return [LINK, DEFINITION, SOURCE]
    .flatMap((pattern) => [...prose.matchAll(pattern)].map(([, target]) => target ?? ''))
    .filter((target) => !ADDRESS.test(target));
}

/** The anchors of a page: those of its headings, and explicit ids. */
export function anchorsIn(text: string): Set<string> {
  const prose = text.replace(FENCE, '');
  const named = [...prose.matchAll(/<[a-z]+\b[^>]*?\b(?:id|name)="([^"]+)"/g)].map(([, id]) => id ?? '');
  const seen = new Map<string, number>();
  const headings = [...prose.matchAll(/^#{1,6} +(.+?)(?: +#+)?$/gm)].map(([, title = '']) => {
    const slug = slugOf(title);
    const earlier = seen.get(slug) ?? 0;
    seen.set(slug, earlier + 1);
    return earlier === 0 ? slug : `${slug}-${earlier}`;
  });
  return new Set([...named, ...headings]);
}

function slugOf(title: string): string {
  return title
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function problemOf(root: string, file: string, link: string): string | null {
  const [place = '', anchor] = decodeURIComponent(link).split('#');
  if (path.isAbsolute(place)) return 'is no relative path';
  const target = place === '' ? file : path.join(path.dirname(file), place);
  if (target.startsWith('..')) return 'leaves the repository';
  const found = path.join(root, target);
  if (!existsSync(found)) return 'does not exist';
  if (anchor === undefined || anchor === '') return null;
  if (statSync(found).isDirectory() || !target.endsWith('.md')) return null;
  return anchorsIn(readFileSync(found, 'utf8')).has(anchor) ? null : 'names no heading there';
}
