import { useSyncExternalStore } from 'react'
import { createDrawer, onOwnerChange } from './drawer.ts'

/** What stands above a mail that is being written; an empty subject goes on with the conversation's. */
export type MailHead = { subject: string; cc: string[]; bcc: string[] }

const nothing: MailHead = { subject: '', cc: [], bcc: [] }
const drawer = createDrawer('cabecalho')
const heads = new Map<string, MailHead>()
const listeners = new Set<() => void>()

export const readMailHead = (ticketId: string): MailHead => {
  const known = heads.get(ticketId) ?? asHead(drawer.read(ticketId))
  heads.set(ticketId, known)
  return known
}

/** Kept on this device beside the words, so that neither an error nor a reload loses it. */
export const writeMailHead = (ticketId: string, changes: Partial<MailHead>) => {
  const next = { ...readMailHead(ticketId), ...changes }
  heads.set(ticketId, next)
  if (isEmptyHead(next)) drawer.remove(ticketId)
  else drawer.write(ticketId, next)
  for (const listener of listeners) listener()
}

export const emptyMailHead = (ticketId: string) => writeMailHead(ticketId, nothing)

export const isEmptyHead = ({ subject, cc, bcc }: MailHead) => !subject.trim() && !cc.length && !bcc.length

export const isMailAddress = (given: string) =>
  /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;".]{2,}$/.test(given) && given.length <= 254

/** What keeps these copies from being sent; what was typed stays where it can be put right. */
export const copiesProblem = ({ cc, bcc }: Pick<MailHead, 'cc' | 'bcc'>, most: number): string | null => {
  const all = [...cc, ...bcc]
  const wrong = all.find((one) => !isMailAddress(one))
  if (wrong) return `“${wrong}” não é um e-mail. Corrija o endereço ou tire-o das cópias.`
  return all.length > most ? `São ${all.length} endereços em cópia, e cabem ${most}. Tire alguns.` : null
}

export const useMailHead = (ticketId: string) => useSyncExternalStore(subscribe, () => readMailHead(ticketId))

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

const asHead = (value: unknown): MailHead => {
  if (typeof value !== 'object' || value === null) return nothing
  const list = (name: string) => {
    const told: unknown = Reflect.get(value, name)
    return Array.isArray(told) ? told.filter((one) => typeof one === 'string') : []
  }
  const subject: unknown = Reflect.get(value, 'subject')
  return { subject: typeof subject === 'string' ? subject : '', cc: list('cc'), bcc: list('bcc') }
}

onOwnerChange(() => heads.clear())
