import type { PauseCode } from '@balcao/contract/operations/campaigns/campaigns.ts'

const advices: Record<PauseCode, string> = {
  failures: 'Veja por que falharam na lista de destinatários. Corrija a lista ou a mensagem antes de continuar.',
  optOuts: 'Muita gente pediu para sair. Reveja para quem e o que está enviando antes de continuar.',
  complaints: 'Houve reclamações. Reveja a mensagem e envie só a quem espera recebê-la.',
  templatePaused: 'Espere a pausa terminar ou use outro modelo em uma campanha nova.',
  templateGone: 'Escolha outro modelo em uma campanha nova.',
  rateLimit: 'Espere um pouco e continue com um intervalo maior.',
  banSigns: 'O número pode ser banido. Pare por um dia, converse com quem responde e volte mais devagar.',
  disconnected: 'Conecte o canal de novo e continue.',
  connectionGone: 'Duplique a campanha e escolha outro canal.',
  quality: 'Espere a qualidade subir e envie só a quem costuma responder.',
  canary: 'Confira como o primeiro grupo recebeu e continue quando estiver tudo certo.',
}
/** What to do about a pause, said after why; a person's needs no advice. */
export const pauseAdvice = (code: PauseCode | null): string => (code === null ? '' : advices[code])
