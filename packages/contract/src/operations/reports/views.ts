import { z } from 'zod'
import { email, id, moment } from '../../common.ts'
import { resource, rowMeta } from '../../resource.ts'
import { reportKeys } from './definitions.ts'

/** How often a view is sent by mail: early in the morning of the company, each day, each Monday, the first of a month. */
export const mailRhythms = ['never', 'day', 'week', 'month'] as const
export type MailRhythm = (typeof mailRhythms)[number]
export const mailRhythmLabels: Record<MailRhythm, string> = {
  never: 'Não enviar',
  day: 'Todo dia',
  week: 'Toda segunda-feira',
  month: 'Todo dia 1º',
}
/** What a mail covers: what has just ended. */
export const mailHour = 7

const viewWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  report: z.enum(reportKeys),
  isShared: z.boolean().default(false),
  /** The filters as they stand in the address of the screen, without the question mark. */
  query: z.string().max(2_000).default(''),
  mailEvery: z.enum(mailRhythms).default('never'),
  mailTo: z
    .array(email)
    .max(10, 'Use no máximo 10 endereços.')
    .meta({ examples: [['dono@loja.com.br']] })
    .default([]),
})
/** A report with its filters under a name: one's own, or shared with whoever reads reports. */
export const reportView = rowMeta.extend(viewWrite.shape).extend({ userId: id, mailAt: moment.nullable() })
export type ReportView = z.output<typeof reportView>

export const reportViewResource = resource({
  path: '/reportViews',
  event: 'reportView',
  label: { one: 'Relatório salvo', many: 'Relatórios salvos' },
  row: reportView,
  write: viewWrite,
  fields: {
    name: 'Nome',
    report: 'Relatório',
    isShared: 'Compartilhado',
    query: 'Filtros',
    mailEvery: 'Por e-mail',
    mailTo: 'Para',
  },
  sort: ['name', 'createdAt', 'updatedAt'],
  can: { read: 'reports.read', write: 'reports.read' },
})
