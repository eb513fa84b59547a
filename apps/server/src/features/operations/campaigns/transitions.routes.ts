import { id } from '@balcao/contract/common.ts'
import { campaignRejectBody } from '@balcao/contract/operations/campaigns/calls.ts'
import { campaign } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import {
  approveCampaign,
  cancelCampaign,
  finishCampaign,
  pauseCampaign,
  rejectCampaign,
  resumeCampaign,
  startCampaign,
  withdrawCampaign,
} from './transitions.ts'

const steps = [
  ['start', 'campaigns.write', 'Iniciar uma campanha, ou pedir que a aprovem', startCampaign],
  ['approve', 'campaigns.approve', 'Aprovar uma campanha', approveCampaign],
  ['withdraw', 'campaigns.write', 'Voltar a rascunho uma campanha que ainda não começou', withdrawCampaign],
  ['pause', 'campaigns.write', 'Pausar uma campanha', pauseCampaign],
  ['resume', 'campaigns.write', 'Continuar uma campanha', resumeCampaign],
  ['cancel', 'campaigns.write', 'Cancelar uma campanha', cancelCampaign],
  ['finish', 'campaigns.write', 'Encerrar uma campanha que segue recebendo contatos', finishCampaign],
] as const

/** POST /campaigns/{id}/{step}: what becomes of a campaign. Answers it as it stands then. */
export const campaignTransitionRoutes: Routes = (app) => {
  for (const [step, can, summary, run] of steps)
    app.post(
      `/campaigns/:id/${step}`,
      {
        config: { can, summary, errors: ['ERR_INVALID_TRANSITION', 'ERR_CONFLICT'] },
        schema: { params: z.object({ id }), response: { 200: campaign } },
      },
      ({ actor, params }) => run(actor, params.id),
    )
  app.post(
    '/campaigns/:id/reject',
    {
      config: { can: 'campaigns.approve', summary: 'Recusar uma campanha', errors: ['ERR_INVALID_TRANSITION'] },
      schema: { params: z.object({ id }), body: campaignRejectBody.nullish(), response: { 200: campaign } },
    },
    ({ actor, params, body }) => rejectCampaign(actor, params.id, body?.reason ?? ''),
  )
}
