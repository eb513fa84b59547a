import { outcomeReasonResource, pipelineResource, stageResource } from '@balcao/contract/sales/pipelines.ts'
import { and, eq } from 'drizzle-orm'
import { outcomeReasons, pipelines, stages } from '../../../db/schema/sales/funnel.ts'
import { counted } from '../../../kit/counted.ts'
import { crud } from '../../../kit/crud.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'

const holds = {
  code: 'ERR_IN_USE' as const,
  says: (uses: number) =>
    `Há ${counted(uses, 'oportunidade', 'oportunidades')} aqui, contando as encerradas. Passe-as a outra etapa antes.`,
}

const leadsHere = {
  code: 'ERR_IN_USE' as const,
  says: () => 'Uma ação do funil leva oportunidades para cá. Troque o destino dela antes, em Ações do funil.',
}

const pipelineRoutes = crud(pipelineResource, {
  table: pipelines,
  search: [pipelines.name],
  inUse: { opportunities: holds, pipeline_actions: leadsHere },
  afterWrite: async (tx, { id, isNew }) => {
    if (!isNew) return
    await tx.db
      .insert(stages)
      .values(firstStages.map((stage, at) => ({ ...stage, tenantId: tx.tenantId, pipelineId: id, position: at + 1 })))
  },
})
/** What a new pipeline begins with. */
const firstStages = [
  { name: 'Novo', color: '#566570', probability: 10 },
  { name: 'Contato', color: '#1c7ed6', probability: 30 },
  { name: 'Proposta', color: '#b87c00', probability: 60 },
  { name: 'Negociação', color: '#0b7a75', probability: 80 },
]

const stageRoutes = crud(stageResource, {
  table: stages,
  search: [stages.name],
  inUse: { opportunities: holds, pipeline_actions: leadsHere },
  beforeWrite: async (tx, { input, before }) => {
    if (!input.pipelineId || input.pipelineId === before?.pipelineId) return {}
    // Its opportunities are of the pipeline it stands in.
    if (before) throw fieldErrors({ path: 'pipelineId', message: 'Uma etapa não muda de funil.' })
    const [found] = await tx.db
      .select({ id: pipelines.id })
      .from(pipelines)
      .where(and(eq(pipelines.tenantId, tx.tenantId), eq(pipelines.id, input.pipelineId)))
    if (!found) throw fieldErrors({ path: 'pipelineId', message: 'O funil escolhido não existe mais.' })
    return {}
  },
})

const outcomeReasonRoutes = crud(outcomeReasonResource, {
  table: outcomeReasons,
  search: [outcomeReasons.name],
  inUse: {
    opportunities: {
      code: 'ERR_IN_USE',
      says: (uses) =>
        `Este motivo está em ${counted(uses, 'oportunidade', 'oportunidades')}. Tire-o de uso em vez de excluir.`,
    },
  },
})

/** How a company sells: its pipelines, their stages, and why it wins and loses. */
export const pipelinesRoutes: Routes = (app) => {
  for (const routes of [pipelineRoutes, stageRoutes, outcomeReasonRoutes]) routes(app)
}
