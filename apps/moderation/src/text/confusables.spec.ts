import { wordsOf } from './fold-text';

describe('lookalikes', () => {
  it.each([
    ['а е о р с у х і ѕ ј', 'a e o p c y x i s j'],
    ['Α Β Ε Ζ Η Ι Κ Μ Ν Ο Ρ Τ Υ Χ', 'a b e z h i k m n o p t y x'],
    ['ᴀ ʙ ᴄ ᴅ ᴇ ꜰ ɢ ʜ ɪ ᴊ ᴋ ʟ ᴍ ɴ ᴏ ᴘ ʀ ꜱ ᴛ ᴜ ᴠ ᴡ ʏ ᴢ', 'a b c d e f g h i j k l m n o p r s t u v w y z'],
    ['Ꭺ Ᏼ Ꮯ Ꭰ Ꭼ Ꮋ Ꭻ Ꮶ Ꮮ Ꮇ Ꮲ Ꮢ Ꮪ Ꭲ Ꮩ Ꮃ Ꮓ', 'a b c d e h j k l m p r s t v w z'],
    ['ł đ ø ħ ŧ ı ſ', 'l d o h t i s'],
  ])('are read as the letters that they look like: %s', (lookalikes, letters) => {
    expect(wordsOf(lookalikes, false).join(' ')).toBe(letters);
  });
});
