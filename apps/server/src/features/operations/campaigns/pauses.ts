import type { PauseCode } from '@balcao/contract/operations/campaigns/campaigns.ts'

/** What was started is not rewritten: whoever has to change list, message or channel writes to the rest with a copy. */
const copyForTheRest = 'cancele, duplique e deixe de fora “Quem recebeu outra campanha”'
const advices: Record<PauseCode, string> = {
  failures: `Veja em “Por que não receberam”. Se já se resolveu, retome. Se a lista ou a mensagem precisa mudar, ${copyForTheRest}.`,
  optOuts: `Muita gente pediu para sair. Reveja para quem e o que está enviando: para mudar, ${copyForTheRest}.`,
  complaints: `Reveja a mensagem e envie só a quem espera recebê-la: para mudar, ${copyForTheRest}.`,
  templatePaused: `Espere a pausa terminar e retome, ou use outro modelo: ${copyForTheRest}.`,
  templateGone: `Use outro modelo: ${copyForTheRest}.`,
  rateLimit: 'Espere um pouco, aumente o intervalo em “Ajustar” e retome.',
  banSigns: 'O número pode ser banido. Pare por um dia, converse com quem responde e retome mais devagar.',
  disconnected: 'Conecte o canal de novo em “Canais” e retome.',
  connectionGone: `Use outro canal: ${copyForTheRest}.`,
  quality: 'Espere a qualidade subir e envie só a quem costuma responder.',
  canary: 'Confira como o primeiro grupo recebeu e siga com o resto quando estiver tudo certo.',
}
const whoeverPaused = 'Nada mais sai até alguém retomar; quem já recebeu não recebe de novo.'
/** What to do about a pause, said after why; a person who paused knows why. */
export const pauseAdvice = (code: PauseCode | null): string => (code === null ? whoeverPaused : advices[code])
