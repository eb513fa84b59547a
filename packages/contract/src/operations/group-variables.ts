import { placeholdersIn } from '../variables.ts'

/** What stands for something in the words a rule says in a group. */
export const groupVariables = [
  { name: 'name', label: 'Quem entrou, saiu ou escreveu' },
  { name: 'group', label: 'Nome do grupo' },
] as const
const former: Record<string, 'name' | 'group'> = { nome: 'name', grupo: 'group' }
const meantBy = (name: string) => groupVariables.find((one) => one.name === name)?.name ?? former[name]

export const unknownGroupVariables = (text: string): string[] => [
  ...new Set(placeholdersIn(text).flatMap(({ name }) => (meantBy(name) ? [] : [name]))),
]
/** The text with its placeholders filled in; what a value itself contains is never filled in again. */
export const fillGroupVariables = (text: string, values: { name: string; group: string }): string =>
  text.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (_whole, name: string) => {
    const meant = meantBy(name)
    return meant ? values[meant] : ''
  })
/** "Ana", "Ana e Bia", "Ana, Bia, Caio e mais 4". */
export const namesOf = (names: readonly string[]): string => {
  const shown = names.length > mostNamed + 1 ? names.slice(0, mostNamed) : names
  const left = names.length - shown.length
  return new Intl.ListFormat('pt-BR').format([...shown, ...(left ? [`mais ${left}`] : [])])
}
const mostNamed = 5
