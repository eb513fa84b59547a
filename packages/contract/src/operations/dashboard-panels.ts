import { z } from 'zod'

/** How wide a panel is, of the three columns of the page. */
export const panelSizes = ['small', 'medium', 'wide'] as const
export type PanelSize = (typeof panelSizes)[number]

type Panel = { title: string; size: PanelSize; isHidden?: true }
/** The panels of the first page, in the order a new person finds them. */
// biome-ignore format: a table reads as lines
const panelTable = {
  now: { title: 'Agora', size: 'wide' },
  period: { title: 'No período', size: 'wide' },
  goals: { title: 'Metas do mês', size: 'small' },
  evolutionByPeriod: { title: 'Atendimentos por dia', size: 'medium' },
  queue: { title: 'Atendimentos por fila', size: 'small' },
  channels: { title: 'Atendimentos por canal', size: 'small' },
  status: { title: 'Atendimentos por situação', size: 'small' },
  perUsersDetail: { title: 'Atendimentos por pessoa', size: 'wide' },
  hours: { title: 'Mensagens por hora', size: 'wide' },
  queuesNow: { title: 'Por fila, agora', size: 'medium' },
  usersNow: { title: 'Por pessoa, agora', size: 'medium' },
  reasons: { title: 'Motivos de encerramento', size: 'small' },
  evolutionChannels: { title: 'Canais por dia', size: 'medium' },
  user: { title: 'Quem mais atendeu', size: 'small', isHidden: true },
  evolutionChannelsName: { title: 'Conexões por dia', size: 'medium', isHidden: true },
  evolutionByValue: { title: 'Valor negociado por dia', size: 'medium', isHidden: true },
} as const satisfies Record<string, Panel>
export type PanelKey = keyof typeof panelTable
export const panels: Record<PanelKey, Panel> = panelTable
export const panelKeys = Object.keys(panelTable) as [PanelKey, ...PanelKey[]]

export const placedPanel = z.object({ key: z.enum(panelKeys), size: z.enum(panelSizes), isHidden: z.boolean() })
export type PlacedPanel = z.output<typeof placedPanel>
/** What a person made of the page; none: as a new person finds it. A panel stands there once. */
export const dashboardPanels = z
  .array(placedPanel)
  .max(panelKeys.length)
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'Cada painel aparece uma vez.')

/** All panels in the person's order; one that came after they arranged them stands where a new person finds it. */
export const arrangePanels = (kept: readonly PlacedPanel[]): PlacedPanel[] => {
  const arranged = [...kept]
  for (const [at, key] of panelKeys.entries()) {
    if (arranged.some((one) => one.key === key)) continue
    const before = panelKeys.slice(0, at).findLast((one) => arranged.some((placed) => placed.key === one))
    const { size, isHidden = false } = panels[key]
    arranged.splice(arranged.findIndex((one) => one.key === before) + 1, 0, { key, size, isHidden })
  }
  return arranged
}
