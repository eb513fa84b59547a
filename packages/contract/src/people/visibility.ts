import type { SwitchSetting } from './settings.ts'

/** Of these at most one may be on: they answer the same question in opposite ways (domain §4.5). */
export const exclusiveSettings = ['NotViewAssignedTickets', 'NotViewTicketsChatBot', 'nullticket'] as const

/** They decide who sees which conversations. */
export const visibilitySettings: readonly string[] = [
  ...exclusiveSettings,
  'DirectTicketsToWallets',
  'transbordo',
  'mostrarGruposParaTodos',
  'mostrarFechadoParaTodos',
] satisfies SwitchSetting[]
