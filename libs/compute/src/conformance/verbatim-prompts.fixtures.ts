/** U+0001 to U+001F and U+007F; the API refuses only NUL. */
const CONTROL_CHARACTERS = [...Array.from({ length: 31 }, (_, index) => index + 1), 0x7f]
  .map((code) => String.fromCodePoint(code))
  .join('');

/** Texts that wire formats, templates and shells are known to change. */
export const VERBATIM_PROMPTS: Record<string, string> = {
  'plain words': 'a calm sea',
  quotes: `a "double", a 'single', a \`backtick\`, a «guillemet» and a \\ backslash\\n`,
  emoji: 'a 🦊 and a 👩‍👩‍👧‍👦 under a 🏳️‍🌈',
  'control characters': `before${CONTROL_CHARACTERS}after`,
  'a pipe': 'a cat | a dog || a fish',
  placeholders: '{{prompt}} ${prompt} {prompt} %prompt% $1 $& <lora:x:1> (fog:1.2) [a|b] __wildcard__ %date:yyyy%',
  'markup and JSON': '<b>&amp;</b> {"6": {"inputs": {"text": "x"}}} %00 %7C \\u0041',
  'edges that are trimmed elsewhere': '  \n a sea \t\n ',
  'forms that are normalised elsewhere': 'e\u0301 \u00e9 \ufb01 \u200b\u202e\ufeff \u2028 \u2029 \u0130',
  '2,000 code points': '𝕊🌊'.repeat(1_000),
};
