import { rereadReplaced, rereadWords } from './words-around';

/** Tags can be nested, so that removing the inner one leaves the outer one. */
const MAX_ROUNDS = 3;
/** Only the text of a link is displayed. */
const LINK = /!?\[([^[\]]{0,200})\](?:\([^()\s]{0,200}\)|\[\d{1,3}\])/g;
/** Markup that is invisible between the letters of a word: tags of HTML and of forums, commands of LaTeX. */
const MARKUP =
  /<[!?/]?[a-z!?[-][^<>]{0,300}>|<\?[^<>]{0,300}>|\[\/?[a-z]{1,8}(?:=[^[\]]{0,80})?\]|\\[a-z]{2,16}(?=\{)/gi;
const BRACKET = /[<>[\](){}\\]/;
/** An unclosed tag: its name up to the next space, or only its first letter where the word continues. */
const UNCLOSED = /<[!/]?[a-z]/i;
const UNCLOSED_NAMES = /<[!/]?[a-z]{1,10}[\s/]+/gi;
const UNCLOSED_LETTERS = /<[!/]?[a-z]/gi;
/** An open tag: the text after it is inside the tag. */
const OPENS = /[<[][^>\]]*$/;

/** The text without and with its markup, because what looks like a tag may also be a letter between signs. */
export function withAndWithoutMarkup(text: string): string[] {
  if (!BRACKET.test(text)) return [text];
  const shown = withoutMarkup(text);
  const written = shown === text ? [text] : [shown, readWithinMarkup(text)];
  return UNCLOSED.test(shown)
    ? [...written, ...[UNCLOSED_NAMES, UNCLOSED_LETTERS].map((tag) => rereadReplaced(shown, tag, () => ''))]
    : written;
}

/** Text inside tags is invisible, but the model reads it. */
function readWithinMarkup(text: string): string {
  let isInside = false;
  return rereadWords(text, (word) => {
    const isPart = isInside || BRACKET.test(word);
    if (BRACKET.test(word)) isInside = OPENS.test(word);
    return isPart ? word : null;
  });
}

function withoutMarkup(text: string): string {
  let shown = text.replace(LINK, '$1');
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const inner = shown.replace(MARKUP, '');
    if (inner === shown) return shown;
    shown = inner;
  }
  return shown;
}
