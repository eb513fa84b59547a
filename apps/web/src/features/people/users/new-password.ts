const letters = 'abcdefghjkmnpqrstuvwxyz'
const digits = '23456789'
const length = 14

/** A password that can be read aloud: no look-alikes, in groups, from the browser's own dice (some 70 bits). */
export const generatePassword = (random: (size: number) => Uint32Array = dice): string => {
  const alphabet = letters + letters.toUpperCase().replace(/[IO]/g, '') + digits
  const drawn = [...random(length)].map((value) => alphabet[value % alphabet.length]).join('')
  return `${drawn.slice(0, 5)}-${drawn.slice(5, 10)}-${drawn.slice(10)}`
}

const dice = (size: number) => crypto.getRandomValues(new Uint32Array(size))
