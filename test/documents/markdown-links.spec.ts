import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT, sourceFiles } from '../../deploy/build/source-files';
import { brokenLinks, markdownFiles, missingPaths } from './markdown-links';

const GUIDE = `# The guide: \`a\` & [b](guide.md)

## Twice

## Twice

<a id="by-name"></a>

\`\`\`md
# Not a heading
[not a link](nowhere.md)
\`\`\`
`;

const BROKEN = [
  ['nowhere.md', 'does not exist'],
  ['guide.md#thrice', 'names no heading there'],
  ['guide.md#not-a-heading', 'names no heading there'],
  ['#elsewhere', 'names no heading there'],
  ['/guide.md', 'is no relative path'],
  ['../guide.md', 'leaves the repository'],
] as const;

describe('links of the documents', () => {
  it('lead somewhere', () => {
    const files = markdownFiles(ROOT);
    expect(files).toEqual(expect.arrayContaining(['README.md', 'apps/jobs/README.md']));
    expect(files.flatMap((file) => brokenLinks(ROOT, file))).toEqual([]);
  });

  it('and paths in code name something', () => {
    // Entries of former releases name what was there then.
    const files = markdownFiles(ROOT).filter((file) => file !== 'docs/CHANGELOG.md');
    expect(files.flatMap((file) => missingPaths(ROOT, file))).toEqual([]);
  });

  it('and specs in code exist', () => {
    const specs = ['apps', 'libs', 'deploy', 'test'].flatMap((folder) => sourceFiles(folder, /spec\.tsx?$/));
    const existing = new Set(specs.map((file) => path.basename(file)));
    const named = markdownFiles(ROOT).flatMap((file) =>
      [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/`([\w.-]+spec\.tsx?)`/g)].map(([, spec = '']) => spec),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((spec) => !existing.has(spec))).toEqual([]);
  });

  it('are broken where they lead nowhere, outside of code', () => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'kinora-links-'));
    const brokenIn = (text: string): string[] => {
      writeFileSync(path.join(root, 'page.md'), text);
      return brokenLinks(root, 'page.md').map((problem) => problem.replace('page.md: ', ''));
    };
    writeFileSync(path.join(root, 'guide.md'), GUIDE);
    const valid = ['guide.md', '.', '#page', 'https://example.com/nowhere.md#anything'];
    const anchors = ['the-guide-a--b', 'twice', 'twice-1', 'by-name'].map((anchor) => `guide.md#${anchor}`);
    for (const link of [...valid, ...anchors])
      expect(brokenIn(`# Page\n\n[it](${link} "title"), ![it](${link}).\n\n[it]: ${link}\n`)).toEqual([]);
    for (const [link, problem] of BROKEN) {
      const forms = [`[it](${link})`, `[![picture](guide.md)](${link})`, `[it]: ${link}\n`, `<img src="${link}">`];
      expect(forms.map(brokenIn)).toEqual(forms.map(() => [`${link} ${problem}`]));
    }
    expect(brokenIn('`[it](nowhere.md)` and ``[`it`](nowhere.md)``\n\n```\n[it](nowhere.md)\n```\n')).toEqual([]);
    writeFileSync(
      path.join(root, 'page.md'),
      'See `docs/no.md`, `src/here.ts`, `docs/*.md`.\n\n```\n`docs/in.md`\n```\n',
    );
    expect(missingPaths(root, 'page.md')).toEqual([
      'page.md: `docs/no.md` does not exist',
      'page.md: `src/here.ts` does not exist',
    ]);
    rmSync(root, { recursive: true });
  });
});
