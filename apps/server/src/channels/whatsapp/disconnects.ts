import { ChannelError } from '../adapter.ts'

/** Why a phone is no longer linked. `comesBack`: connecting again is enough; else somebody has to act. */
export type Disconnect = { text: string; comesBack: boolean; isLoggedOut: boolean }

const newCode = 'Gere um novo código e leia-o no WhatsApp do telefone, em Aparelhos conectados.'
const gone = (text: string): Disconnect => ({ text, comesBack: false, isLoggedOut: true })
const stuck = (text: string): Disconnect => ({ text, comesBack: false, isLoggedOut: false })
const passing = (text: string): Disconnect => ({ text, comesBack: true, isLoggedOut: false })

const restricted = stuck(
  'O WhatsApp restringiu este número por algum tempo. Veja no telefone até quando; depois inicie o canal de novo.',
)
const rules: Record<number, Disconnect> = {
  401: gone(`O telefone desconectou este canal. ${newCode}`),
  402: restricted,
  403: stuck(
    'O WhatsApp bloqueou este número. Abra o WhatsApp no telefone para ver o motivo e pedir uma análise; até lá nada é enviado.',
  ),
  406: restricted,
  408: passing('A conexão com o WhatsApp caiu. Estamos tentando de novo.'),
  411: gone(`O WhatsApp do telefone não aceita aparelhos conectados. Atualize-o. ${newCode}`),
  428: passing('O WhatsApp encerrou a conexão. Estamos tentando de novo.'),
  440: stuck('Outro programa abriu esta mesma conexão. Feche-o e inicie o canal de novo.'),
  500: gone(`A conexão com o WhatsApp ficou inválida. ${newCode}`),
  503: passing('O WhatsApp está fora do ar. Estamos tentando de novo.'),
  515: passing('O WhatsApp pediu para reconectar. Leva alguns segundos.'),
}
/** By the code every library of WhatsApp Web repeats. */
export const disconnectOf = (code: number | undefined): Disconnect =>
  rules[code ?? 408] ?? passing(`A conexão com o WhatsApp caiu (código ${code}). Estamos tentando de novo.`)

export const codesSpent = 'Ninguém leu o código a tempo. Gere um novo quando estiver com o telefone à mão.'
export const scanNow = 'Leia o código com o WhatsApp do telefone.'
export const typeNow = 'No telefone, em Aparelhos conectados, escolha conectar com número e digite o código.'

/** Refusals that mean the same whoever passes them on. */
export const notOnWhatsApp = () =>
  new ChannelError('final', 'Este número não tem WhatsApp. Confira o número do contato.', { isUnreachable: true })
/** WhatsApp keeps a number from writing first, for a time; whoever it talks to already still hears it. */
export const mayNotWriteFirst = () =>
  new ChannelError(
    'final',
    'O WhatsApp não deixa este número começar conversas por enquanto. Quem já conversa com vocês continua recebendo.',
  )
export const notLinked = () =>
  new ChannelError('final', 'O WhatsApp deste canal está desconectado. Peça ao administrador para reconectá-lo.', {
    isConnectionBroken: true,
    forAdmin: { text: `O telefone não está conectado a este canal. ${newCode}` },
  })
