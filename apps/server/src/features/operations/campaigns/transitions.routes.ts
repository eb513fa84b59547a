import { id } from '@balcao/contract/common.ts'
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
} from './transitions.ts'

const steps = [
  ['start', 'campaigns.write', 'Iniciar uma campanha, ou pedir que a aprovem', startCampaign],
  ['approve', 'campaigns.approve', 'Aprovar uma campanha', approveCampaign],
  ['reject', 'campaigns.approve', 'Recusar uma campanha', rejectCampaign],
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
}
