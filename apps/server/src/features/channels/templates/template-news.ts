import {
  rejectionText,
  templateCategoryLabels,
  templateQualityLabels,
  templateStatusLabels,
} from '@balcao/contract/channels/template-text.ts'
import type { TemplateNews } from '@balcao/contract/channels/templates.ts'

type State = { status: string; category: string; quality: string | null }
export type ChangedTemplate = State & { name: string; language: string; reason: string | null; was: State }

/** What whoever manages templates has to know of a change at the provider; none of what they wrote themselves. */
export const newsOf = (changed: ChangedTemplate): TemplateNews | undefined => {
  const told = [categoryNews(changed), statusNews(changed), qualityNews(changed)].filter((one) => one !== undefined)
  const [first] = told
  if (!first) return undefined
  const { name, language } = changed
  return { name, language, title: `Modelo ${name}: ${first.title}`, text: told.map(({ text }) => text).join(' ') }
}

const statusNews = ({ status, reason, was }: ChangedTemplate) => {
  if (status === was.status || status === 'PENDING') return undefined
  const title = (templateStatusLabels[status] ?? status).toLowerCase()
  return { title, text: statusTexts[status]?.(rejectionText(reason) ?? '') ?? `A Meta mudou a situação para ${title}.` }
}
const statusTexts: Partial<Record<string, (why: string) => string>> = {
  APPROVED: () => 'Já pode ser enviado.',
  REJECTED: (why) => ['A Meta recusou o modelo.', why, 'Corrija e envie de novo.'].filter(Boolean).join(' '),
  PAUSED: () => 'A Meta pausou o modelo por baixa qualidade: até voltar, ele não pode ser enviado.',
  DISABLED: () => 'A Meta desativou o modelo. Crie outro, com outro texto.',
  LIMIT_EXCEEDED: () => 'A conta chegou ao limite de modelos da Meta.',
  PENDING_DELETION: () => 'O modelo está sendo excluído na Meta.',
  IN_APPEAL: () => 'A recusa está em recurso.',
}

const categoryNews = ({ category, was }: ChangedTemplate) => {
  if (category === was.category) return undefined
  const label = labelOf(category)
  const text = `A Meta mudou a categoria de ${labelOf(was.category)} para ${label}: o preço muda com ela.`
  return { title: `agora é ${label}`, text }
}
const labelOf = (category: string) =>
  Object.entries(templateCategoryLabels).find(([name]) => name === category)?.[1] ?? category

const qualityNews = ({ quality, was }: ChangedTemplate) => {
  const label = templateQualityLabels[quality ?? '']
  if (quality === was.quality || !label || (quality === 'GREEN' && !was.quality)) return undefined
  const advice =
    quality === 'GREEN' ? '' : ' Clientes bloqueiam ou denunciam estas mensagens: se piorar, a Meta pausa o modelo.'
  return {
    title: `qualidade ${label.toLowerCase()}`,
    text: `A qualidade do modelo agora é ${label.toLowerCase()}.${advice}`,
  }
}
