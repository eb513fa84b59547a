import { z } from 'zod'
import { id } from '../../common.ts'
import { readCents } from '../../core/number.ts'
import { unknownVariables } from '../../variables.ts'
import { defineAction, variableText } from './define.ts'

const optional = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `Use no máximo ${most.toLocaleString('pt-BR')} caracteres.`)
    .superRefine((value, context) => {
      const [unknown] = unknownVariables(value)
      if (unknown) context.addIssue({ code: 'custom', message: `A variável {{${unknown}}} não existe.` })
    })
    .nullable()
const can = { can: 'funnel.write', canChoose: 'funnel.write' } as const

/** For the customer of the conversation. */
export const opportunity = defineAction({
  kind: 'opportunity',
  label: 'Criar oportunidade',
  ...can,
  params: z.object({
    name: variableText(120, 'Escreva o nome da oportunidade.').meta({
      label: 'Nome da oportunidade',
      withVariables: true,
    }),
    stageId: z.uuid('Escolha a etapa.').meta({ label: 'Etapa do funil', names: 'stages' }),
    /** In reais, as people write them. */
    value: optional(60)
      .refine((value) => value === null || value.includes('{{') || (readCents(value) ?? -1) >= 0, {
        error: 'Escreva um valor em reais, como 1.250,00.',
      })
      .meta({ label: 'Valor em reais', withVariables: true, placeholder: '1.250,00' }),
    responsibleId: id
      .nullable()
      .meta({ label: 'Responsável', names: 'people', placeholder: 'Quem atende a conversa, se houver' }),
    forecastDays: z
      .int('Informe um número inteiro de dias.')
      .min(0, 'De 0 em diante.')
      .max(3_650, 'No máximo 3.650 dias.')
      .nullable()
      .meta({ label: 'Fechamento previsto para daqui a quantos dias' }),
    description: optional(4_000).meta({ label: 'Descrição', multiline: true, withVariables: true }),
    source: optional(60).meta({ label: 'Origem', withVariables: true }),
    ifOpen: z.enum(['keep', 'create']).meta({
      label: 'Se o contato já tem uma em aberto neste funil',
      options: { keep: 'Não criar outra', create: 'Criar outra' },
    }),
  }),
  blank: {
    name: '{{name}}',
    stageId: '',
    value: null,
    responsibleId: null,
    forecastDays: null,
    description: null,
    source: null,
    ifOpen: 'keep',
  },
  detail: ({ name, stageId }, nameOf) => [name, nameOf(stageId)].filter(Boolean).join(', '),
})

/** The newest of the customer that is open in the stage's pipeline. */
export const moveOpportunity = defineAction({
  kind: 'moveOpportunity',
  label: 'Mover oportunidade de etapa',
  ...can,
  params: z.object({
    stageId: z.uuid('Escolha a etapa.').meta({
      label: 'Etapa do funil',
      names: 'stages',
      help: 'Vale para a mais recente em aberto do contato neste funil.',
    }),
  }),
  blank: { stageId: '' },
})

const pipelineId = id.nullable().meta({
  label: 'Funil',
  names: 'pipelines',
  placeholder: 'Qualquer um',
  help: 'Vale para a mais recente em aberto do contato.',
})
/** The newest of the customer that is open. */
export const winOpportunity = defineAction({
  kind: 'winOpportunity',
  label: 'Ganhar oportunidade',
  ...can,
  params: z.object({
    pipelineId,
    reasonId: id.nullable().meta({ label: 'Motivo', names: 'winReasons', placeholder: 'Nenhum' }),
  }),
  blank: { pipelineId: null, reasonId: null },
})
export const loseOpportunity = defineAction({
  kind: 'loseOpportunity',
  label: 'Perder oportunidade',
  ...can,
  params: z.object({
    pipelineId,
    reasonId: id.nullable().meta({ label: 'Motivo', names: 'loseReasons', placeholder: 'Nenhum' }),
  }),
  blank: { pipelineId: null, reasonId: null },
})
