import type { BaileysEvents } from './port.ts'

const moment = new Intl.DateTimeFormat('pt-BR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'America/Sao_Paulo',
})
export const momentText = (at: Date): string => moment.format(at)

/** The account may write to nobody new. */
const mayNotBegin = '463'
/** A message was refused because its account may not begin conversations. */
export const isNewRefused = (events: BaileysEvents): boolean =>
  (events['messages.update'] ?? []).some(({ update }) => update.messageStubParameters?.[0] === mayNotBegin)
