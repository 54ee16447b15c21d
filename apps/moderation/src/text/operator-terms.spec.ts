import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import { ConfigError } from '@kinora/service-kit';
import { buildEngines } from '../gate/build-engines';
import type { Engine } from '../judging/engine';
import { TEST_TEXT } from './lexicon';

describe("operator's terms", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'moderation-'));
  const file = path.join(folder, 'moderation.yaml');
  afterAll(() => rmSync(folder, { recursive: true }));

  const build = (configDir: string) => buildEngines({ configDir, environment: {} });
  const objectionOf = async (rules: Engine<ScreenedText> | undefined, text: string) =>
    (await rules?.judge({ param: 'prompt', text }))?.objection;

  it('are none without a folder or without a file', async () => {
    const [one, other] = await Promise.all([build(''), build(path.join(folder, 'missing'))]);

    expect(one.text[0]?.version).toBe(other.text[0]?.version);
  });

  it.each(['rules:\n  extra_terms:\n    - blorf\n', 'rules:\n  extra_terms: []\n', 'rules: {}\n', '# nothing\n'])(
    'add to the lexicon and remove nothing: %j',
    async (text) => {
      writeFileSync(file, text);
      const [rules] = (await build(folder)).text;

      expect(await objectionOf(rules, TEST_TEXT)).toBe('test_text');
      expect(await objectionOf(rules, 'a b l 0 r f')).toBe(text.includes('blorf') ? 'operator_term' : null);
    },
  );

  it('for minors and sexual terms block together, with each other and with those of the lexicon', async () => {
    writeFileSync(file, 'rules:\n  extra_minor_terms: [gribblet]\n  extra_sexual_terms: [vorpine]\n');
    const [rules] = (await build(folder)).text;
    const objectionTo = (text: string) => objectionOf(rules, text);

    expect(await objectionTo('a gribblet at sea')).toBeNull();
    expect(await objectionTo('a vorpine lighthouse')).toBeNull();
    expect(await objectionTo('a vorpine gribblet')).toBe('minor_sexualized');
    expect(await objectionTo('a vorpine child')).toBe('minor_sexualized');
    expect(await objectionTo('vorpine, 9 years old')).toBe('minor_sexualized');
    expect(await objectionTo('vorpine, 29 years old')).toBeNull();
  });

  it.each([
    ['rules:\n  extra_terms:\n    - blorf\n    - 7\n', ':4: rules.extra_terms[1]: must be a word or phrase'],
    ['rules:\n  extra_terms:\n    - blorf\n    - "--!"\n', ':4: rules.extra_terms[1]: needs at least two letters'],
    ['rules:\n  extra_terms: blorf\n', ':2: rules.extra_terms: '],
    ['rules:\n  remove_terms:\n    - blorf\n', ':2: rules.remove_terms: property remove_terms should not exist'],
    ['rules:\n  extra_minor_terms:\n    - 9\n', ':3: rules.extra_minor_terms[0]: must be a word or phrase'],
    ['rules:\n  enabled: false\n', ':2: rules.enabled: property enabled should not exist'],
    ['rules: off\n', ':1: rules: '],
    ['rules:\n', ':1: rules: '],
    ['rules: []\n', ':1: rules: '],
    ['enabled: false\n', ':1: enabled: property enabled should not exist'],
  ])('are refused with the line that is wrong: %j', async (text, problem) => {
    writeFileSync(file, text);

    await expect(build(folder)).rejects.toThrow(ConfigError);
    await expect(build(folder)).rejects.toThrow(problem);
  });
});
