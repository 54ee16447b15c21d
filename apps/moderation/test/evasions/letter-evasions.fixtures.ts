import { type Random, pick } from './random.fixtures';

/** Evasions that write the letters of a word in another way, without a change of the spelling. */
type LetterEvasion = (word: string, random: Random) => string;

const A = 97;

export const LETTER_EVASIONS: Readonly<Record<string, LetterEvasion>> = {
  'upper case': (word) => word.toUpperCase(),
  'mixed case': (word, random) => eachLetter(word, (letter) => (random() < 0.5 ? letter.toUpperCase() : letter)),
  fullwidth: (word) => eachLetter(word, (letter) => shifted(letter, 0xff41)),
  'mathematical bold': (word) => eachLetter(word, (letter) => shifted(letter, 0x1d41a)),
  'mathematical bold script': (word) => eachLetter(word, (letter) => shifted(letter, 0x1d4ea)),
  'mathematical fraktur': (word) => eachLetter(word, (letter) => shifted(letter, 0x1d586)),
  'double-struck': (word) => eachLetter(word, (letter) => shifted(letter, 0x1d552)),
  'sans-serif italic': (word) => eachLetter(word, (letter) => shifted(letter, 0x1d622)),
  monospace: (word) => eachLetter(word, (letter) => shifted(letter, 0x1d68a)),
  circled: (word) => eachLetter(word, (letter) => shifted(letter, 0x24d0)),
  parenthesized: (word) => eachLetter(word, (letter) => shifted(letter, 0x249c)),
  'negative circled': (word) => eachLetter(word, (letter) => shifted(letter, 0x1f150)),
  squared: (word) => eachLetter(word, (letter) => shifted(letter, 0x1f130)),
  'negative squared': (word) => eachLetter(word, (letter) => shifted(letter, 0x1f170)),
  'regional indicators': (word) => eachLetter(word, (letter) => shifted(letter, 0x1f1e6)),
  'small capitals': replacing('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ'),
  superscript: replacing('ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖ𐞥ʳˢᵗᵘᵛʷˣʸᶻ'),
  'accented letters': replacing('åḇçđéḟğħïĵķłṁñøṕɋřšťüṽŵẍÿž'),
  Cyrillic: replacing('аьсԁеғԍніјкӏмпорԛгѕтцѵшхуᴢ'),
  'Cyrillic and Greek': replacing('αвςδєfgнιјκℓмηоρqгѕтυѵωχуz'),
  Cherokee: replacing('ᎪᏴᏟᎠᎬFᏀᎻIᎫᏦᏞᎷNᎾᏢQᏒᏚᎢUᏙᏔXᎩᏃ'),
  'Canadian syllabics': replacing('ᗩᗷᑕᗪᗴᖴᘜᕼIᒍKᒪᗰᑎOᑭᑫᖇᔕTᑌᐯᗯ᙭Yᘔ'),
  'letters with strokes and hooks': replacing('ⱥƀȼɖɇƒǥħɨɉƙłɱŋøƥɋɍʂŧʉʋⱳӿɏƶ'),
  Braille: replacing('⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵'),
  'currency signs': replacing('₳฿₵ĐɆ₣₲ⱧłJ₭Ⱡ₥₦Ø₱Q®₴₮Ʉ√₩ӾɎⱫ'),
  'characters that Thai and others draw': replacing('ค๒ς๔єŦgђเןкl๓ภ๏קqгรՇยשฬאץz'),
  'Chinese characters': replacing('卂乃匚ᗪ乇千G卄丨フҜㄥ爪几ㄖ卩Q尺丂ㄒㄩᐯ山乂ㄚ乙'),
  'figures for letters': replacing('4bcd3fgh1jk1mn0pqr57uvwxy2'),
  'some figures for letters': (word, random) =>
    eachLetter(word, (letter) => (random() < 0.5 ? letterIn('4bcd3fgh1jk1mn0pqr57uvwxy2', letter) : letter)),
  'signs for letters': replacing('@bcd3fgh!jk|mn0pqr$+uvwxyz'),
  'letters drawn with signs': replacing([
    '/\\',
    '|3',
    '(',
    '|)',
    'e',
    '|=',
    'g',
    '|-|',
    '!',
    'j',
    '|<',
    'l',
    '|\\/|',
    '|\\|',
    '()',
    'p',
    'q',
    'r',
    '$',
    '+',
    '(_)',
    '\\/',
    '\\/\\/',
    '><',
    'y',
    'z',
  ]),
  'capital i for l and l for i': (word) => eachLetter(word, (letter) => ({ i: 'l', l: 'I' })[letter] ?? letter),
  'two letters that look like one': (word) => word.replaceAll('m', 'rn').replaceAll('w', 'vv'),
  'one foreign letter': (word, random) => {
    const letter = pick(
      [...word].filter((any) => any !== ' '),
      random,
    );
    return word.replace(letter, letterIn('аЬсԁеғԍһіјкӏмпорԛгѕтυѵԝхуᴢ', letter));
  },
};

function replacing(alphabet: string | readonly string[]): LetterEvasion {
  const letters = [...alphabet];
  if (letters.length !== 26)
    throw new Error(`An alphabet has 26 letters, this one ${letters.length}: ${letters.join('')}`);
  return (word) => eachLetter(word, (letter) => letterIn(letters, letter));
}

function letterIn(alphabet: string | readonly string[], letter: string): string {
  return [...alphabet][letter.charCodeAt(0) - A] ?? letter;
}

function shifted(letter: string, start: number): string {
  return String.fromCodePoint(start + letter.charCodeAt(0) - A);
}

/** Replaces every letter from a to z; other characters are kept. */
function eachLetter(word: string, change: (letter: string) => string): string {
  return word.replace(/[a-z]/g, change);
}
