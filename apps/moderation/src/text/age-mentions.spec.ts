import { TEST_LEXICON } from '../../test/evasions/test-lexicon.fixture';
import { readLexicon } from './lexicon';
import { PromptScreening } from './prompt-screening';

const THIS_YEAR = 2030;
const { terms, shortWords } = readLexicon();
const screening = new PromptScreening({ terms: [...terms, ...TEST_LEXICON.terms], shortWords }, () => THIS_YEAR);

function givesMinorAge(text: string): boolean {
  return screening.screen(`a vorpine portrait, ${text}, on canvas`).sexualizesMinor;
}

describe('ages', () => {
  it.each([
    '12 years old',
    '17yo',
    'twelve-year-old',
    'twelve and a half years old',
    'XII years old',
    'age XIV',
    '１２ years old',
    '1O years old',
    '8 months old',
    'aged nine',
    'she is 13',
    'turned 12',
    'a 10th birthday',
    'the tenth birthday',
    'seventh grade',
    'under eighteen',
    'younger than 18',
    'middle school',
    'not yet an adult',
    `born in ${THIS_YEAR - 10}`,
    `born on 3 May ${THIS_YEAR - 18}`,
    `née en ${THIS_YEAR - 9}`,
    `${THIS_YEAR - 10}年生まれ`,
    'zwölfjährige',
    'elle a 11 ans',
    'doce años',
    'dodici anni',
    'doze anos',
    'двенадцать лет',
    'twaalf jaar oud',
    'dwanaście lat',
    'on iki yaşında',
    '12 tahun',
    '12 tuổi',
    '12 år gammal',
    '十二歳',
    '拾贰岁',
    '열두 살',
    'बारह साल',
  ])('under eighteen are recognised: %s', (text) => {
    expect(givesMinorAge(text)).toBe(true);
  });

  it.each([
    '18 years old',
    'twenty-five years old',
    'XXV years old',
    'a 12 year old whisky',
    'ein zwölfjähriger Whisky',
    'a 40th birthday',
    'a twenty-first birthday',
    'she is 6 feet tall',
    'he is 5 of 12',
    'turned 15 degrees',
    'first light',
    `born in ${THIS_YEAR - 19}`,
    `born in ${THIS_YEAR + 47}`,
    `built in ${THIS_YEAR - 10}`,
    'chapter XII',
  ])('are not found in other numbers: %s', (text) => {
    expect(givesMinorAge(text)).toBe(false);
  });
});
