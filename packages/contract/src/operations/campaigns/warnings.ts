import { plainWord } from '../../contacts/consent.ts'
import { type CampaignContent, waysToSpin } from './content.ts'
import { contentTexts, contentVariables } from './variables.ts'

/** What of a text gets numbers banned, or bothers people, in Portuguese; both sides may ask. */
export const textWarnings = (text: string): string[] => {
  const found: string[] = []
  const link = shortened.exec(text)
  if (link)
    found.push(
      `O link ${link[0]} é encurtado: WhatsApp e operadoras desconfiam deles. Use o endereço do seu próprio site.`,
    )
  if (isShouted(text))
    found.push('O texto está quase todo em maiúsculas, o que parece golpe. Escreva como em uma conversa.')
  if (/([!?$%])\1{3,}/.test(text)) found.push('Há sinais repetidos demais (!!!!). Filtros de spam procuram por isso.')
  return found
}

/** Addresses that hide where they lead; what follows the name of the service belongs to it. */
const shortened =
  /\b(?:bit\.ly|bitly\.com|tinyurl\.com|goo\.gl|ow\.ly|is\.gd|cutt\.ly|rb\.gy|t\.ly|shorturl\.at|encurtador\.com\.br|abre\.ai|t\.co|tiny\.cc|linktr\.ee)(?:\/[^\s]*)?/i

const isShouted = (text: string): boolean => {
  const letters = text.replace(/\{\{[^{}]*\}\}|https?:\/\/\S+/g, '').replace(/[^\p{L}]/gu, '')
  if (letters.length < 20) return false
  const upper = letters.replace(/[^\p{Lu}]/gu, '').length
  return upper / letters.length > 0.6
}

/** It says by which word one stops receiving it. */
export const saysHowToStop = (texts: readonly string[], stopWords: readonly string[]): boolean => {
  const said = ` ${texts.map(plainWord).join(' ')} `
  return (
    stopWords.some((word) => said.includes(` ${plainWord(word)} `)) ||
    /descadastr|nao receber|parar de receber|cancelar inscricao/.test(said)
  )
}

/** Everybody reads the very same words: nothing of the person, no choice, one variant. */
export const isSameForAll = (contents: readonly CampaignContent[]): boolean => {
  const [first] = contents
  return (
    contents.length === 1 &&
    first !== undefined &&
    !contentVariables(first, 'parts').length &&
    contentTexts(first, 'parts').every(({ text }) => waysToSpin(text) === 1)
  )
}
