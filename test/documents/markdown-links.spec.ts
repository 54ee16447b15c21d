import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';
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

  describe('in a planted tree', () => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'kinora-links-'));
    afterAll(() => rmSync(root, { recursive: true }));

    beforeAll(() => {
      mkdirSync(path.join(root, 'docs'));
      writeFileSync(path.join(root, 'docs/guide.md'), GUIDE);
    });

    function brokenIn(text: string): string[] {
      writeFileSync(path.join(root, 'docs/page.md'), text);
      return brokenLinks(root, 'docs/page.md').map((problem) => problem.replace('docs/page.md: ', ''));
    }

    it.each([
      'guide.md',
      '../docs/guide.md',
      '../docs',
      'guide.md#the-guide-a--b',
      'guide.md#twice',
      'guide.md#twice-1',
      'guide.md#by-name',
      'https://example.com/nowhere.md#anything',
    ])('are valid where they lead to %s', (link) => {
      expect(brokenIn(`# Page\n\nSee [it](${link} "title"), and ![it](${link}).\n\n[it]: ${link}\n`)).toEqual([]);
    });

    it.each([
      ['nowhere.md', 'does not exist'],
      ['../guide.md', 'does not exist'],
      ['guide.md#thrice', 'names no heading there'],
      ['guide.md#not-a-heading', 'names no heading there'],
      ['#elsewhere', 'names no heading there'],
      ['/docs/guide.md', 'is no relative path'],
      ['../../guide.md', 'leaves the repository'],
    ])('are broken where they lead to %s', (link, problem) => {
      const broken = `${link} ${problem}`;
      expect(brokenIn(`# Page\n\n[it](${link})`)).toEqual([broken]);
      expect(brokenIn(`[![picture](guide.md)](${link})`)).toEqual([broken]);
      expect(brokenIn(`[it][one]\n\n[one]: ${link}\n`)).toEqual([broken]);
      expect(brokenIn(`<img src="${link}">`)).toEqual([broken]);
    });

    it('leave paths in code to a check of their own', () => {
      const text = 'See `docs/guide.md`, `docs/nowhere.md`, `src/here.ts`, `docs/*.md` and `apps/<context>`.\n';
      writeFileSync(path.join(root, 'docs/page.md'), `${text}\n\`\`\`\n\`docs/in-a-fence.md\`\n\`\`\`\n`);
      expect(missingPaths(root, 'docs/page.md')).toEqual([
        'docs/page.md: `docs/nowhere.md` does not exist',
        'docs/page.md: `src/here.ts` does not exist',
      ]);
    });

    it('are ignored in code', () => {
      expect(brokenIn('`[it](nowhere.md)` and ``[`it`](nowhere.md)``\n\n```\n[it](nowhere.md)\n```\n')).toEqual([]);
    });
  });
});
