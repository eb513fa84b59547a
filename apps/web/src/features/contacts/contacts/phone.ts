const brazilian = /^55([1-9]{2})(\d{4,5})(\d{4})$/

/** A stored number as people read it, at once for Brazil: "+55 11 98765-4321". Other countries wait for `formatPhone`. */
export const showPhone = (number: string): string => {
  const [, area, first, last] = brazilian.exec(number) ?? []
  return area ? `+55 ${area} ${first}-${last}` : `+${number}`
}

export const isBrazilian = (number: string) => brazilian.test(number)

/**
 * What is being typed, with the marks of a Brazilian number: "(11) 98765-4321", "+55 11 98765-4321". Anything that begins
 * with another country's code stays as it is typed.
 */
export const maskPhone = (typed: string): string => {
  const digits = typed.replace(/\D/g, '')
  if (/[^\d\s()+.-]/.test(typed)) return typed
  if (typed.trim().startsWith('+')) {
    if (!digits.startsWith('55')) return typed
    const rest = digits.slice(2, 13)
    return rest ? `+55 ${joined(rest.slice(0, 2), rest.slice(2), ' ')}` : `+${digits}`
  }
  if (digits.length > 11) return digits.startsWith('55') && digits.length <= 13 ? maskPhone(`+${digits}`) : typed
  if (digits.length <= 2) return digits
  return joined(`(${digits.slice(0, 2)})`, digits.slice(2), ' ')
}

const joined = (area: string, local: string, space: string) => {
  if (!local) return area
  const split = local.length > 8 ? 5 : 4
  return `${area}${space}${local.length > split ? `${local.slice(0, split)}-${local.slice(split)}` : local}`
}
