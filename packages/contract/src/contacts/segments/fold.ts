/**
 * A text without case and accents, as the database's `norm` has it for the letters people here write with. Signs that
 * only it takes apart (№, ½) stay as they are.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđłþðħıĸŋŧʼ]/g, (letter) => apart[letter] ?? letter)

const apart: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  þ: 'th',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ĸ: 'q',
  ŋ: 'n',
  ŧ: 't',
}
