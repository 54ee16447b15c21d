import { rereadReplaced, rereadWords } from './words-around';

/** A tag may be written inside a tag, so that taking off the inner one leaves the outer. */
const MAX_ROUNDS = 3;
/** Of a link only its words are shown. */
const LINK = /!?\[([^[\]]{0,200})\](?:\([^()\s]{0,200}\)|\[\d{1,3}\])/g;
/** Between the letters of a word they divide nothing that is shown: tags of HTML and of forums, commands of LaTeX. */
const MARKUP =
  /<[!?/]?[a-z!?[-][^<>]{0,300}>|<\?[^<>]{0,300}>|\[\/?[a-z]{1,8}(?:=[^[\]]{0,80})?\]|\\[a-z]{2,16}(?=\{)/gi;
const BRACKET = /[<>[\](){}\\]/;
/** A tag that nothing closes: its name to the next space, or only its first letter where the word goes straight on. */
const UNCLOSED = /<[!/]?[a-z]/i;
const UNCLOSED_NAMES = /<[!/]?[a-z]{1,10}[\s/]+/gi;
const UNCLOSED_LETTERS = /<[!/]?[a-z]/gi;
/** Behind it stands what belongs to a tag. */
const OPENS = /[<[][^>\]]*$/;

/** What is shown of markup are the letters between the tags; but what looks like a tag may also be a letter between signs. */
export function withAndWithoutMarkup(text: string): string[] {
  if (!BRACKET.test(text)) return [text];
  const shown = withoutMarkup(text);
  const written = shown === text ? [text] : [shown, readWithinMarkup(text)];
  return UNCLOSED.test(shown)
    ? [...written, ...[UNCLOSED_NAMES, UNCLOSED_LETTERS].map((tag) => rereadReplaced(shown, tag, () => ''))]
    : written;
}

/** Nobody is shown what stands in a tag, and the model reads it all the same. */
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
