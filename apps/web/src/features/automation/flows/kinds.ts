import { type NodeKind, nodeKinds, nodeLabels } from '@balcao/contract/automation/flows/graph.ts'
import { fold } from '@balcao/contract/contacts/segments/fold.ts'
import { type ActionKind, definitionOf } from '@balcao/contract/conversations/actions/index.ts'
import {
  type Icon,
  IconArrowGuide,
  IconArrowsSplit2,
  IconBolt,
  IconCalendarPlus,
  IconClick,
  IconClockHour4,
  IconCornerUpRight,
  IconForms,
  IconFrame,
  IconHourglass,
  IconKeyboard,
  IconListNumbers,
  IconMessage2,
  IconMessageCircleOff,
  IconNote,
  IconPlayerPlay,
  IconPuzzle,
  IconQrcode,
  IconRobot,
  IconSitemap,
  IconStar,
  IconUserShare,
  IconVariable,
  IconWebhook,
} from '@tabler/icons-react'

/** What a step is for, which its colour tells. */
export type KindTone = 'talk' | 'decide' | 'wait' | 'do' | 'end' | 'draw'
type Kind = { icon: Icon; tone: KindTone; hint: string }

export const kinds: Record<NodeKind, Kind> = {
  start: { icon: IconPlayerPlay, tone: 'end', hint: 'Por onde toda conversa entra.' },
  message: { icon: IconMessage2, tone: 'talk', hint: 'Envia textos, arquivos, áudios ou botões.' },
  menu: { icon: IconListNumbers, tone: 'talk', hint: 'Oferece opções e segue a que o cliente escolher.' },
  ask: { icon: IconForms, tone: 'talk', hint: 'Pergunta e confere: nome, CPF, data, arquivo…' },
  request: { icon: IconClick, tone: 'talk', hint: 'Localização, link, formulário ou catálogo do WhatsApp.' },
  rating: { icon: IconStar, tone: 'talk', hint: 'Pede uma nota e guarda como avaliação.' },
  pix: { icon: IconQrcode, tone: 'talk', hint: 'Envia um código Pix copia e cola.' },
  condition: { icon: IconArrowsSplit2, tone: 'decide', hint: 'Segue caminhos diferentes conforme o que se sabe.' },
  hours: { icon: IconClockHour4, tone: 'decide', hint: 'Um caminho aberto, outro fechado.' },
  split: { icon: IconArrowGuide, tone: 'decide', hint: 'Divide as conversas para comparar caminhos.' },
  jump: { icon: IconCornerUpRight, tone: 'decide', hint: 'Continua em outro passo deste fluxo.' },
  flow: { icon: IconSitemap, tone: 'decide', hint: 'Passa por outro fluxo e volta.' },
  calendar: { icon: IconCalendarPlus, tone: 'talk', hint: 'Oferece horários livres e marca o que o cliente escolher.' },
  assistant: { icon: IconRobot, tone: 'talk', hint: 'Um assistente conversa, e o fluxo segue pelo que ele conseguiu.' },
  delay: { icon: IconKeyboard, tone: 'wait', hint: 'Alguns segundos, como quem digita.' },
  wait: { icon: IconHourglass, tone: 'wait', hint: 'Até um tempo passar, o cliente escrever ou algo acontecer.' },
  set: { icon: IconVariable, tone: 'do', hint: 'Guarda ou calcula valores.' },
  action: { icon: IconBolt, tone: 'do', hint: 'Etiquetas, fila, nota, e-mail, webhook…' },
  http: { icon: IconWebhook, tone: 'do', hint: 'Consulta um sistema da empresa e guarda a resposta.' },
  handOver: { icon: IconUserShare, tone: 'end', hint: 'Uma pessoa continua, com o resumo do que foi dito.' },
  close: { icon: IconMessageCircleOff, tone: 'end', hint: 'Encerra o atendimento.' },
  comment: { icon: IconNote, tone: 'draw', hint: 'Um lembrete no quadro, só para a equipe.' },
  group: { icon: IconFrame, tone: 'draw', hint: 'Uma moldura que leva junto o que está dentro.' },
  foreign: { icon: IconPuzzle, tone: 'draw', hint: 'Veio de outro sistema e é ignorado.' },
}

const toneLabels: Record<KindTone, string> = {
  talk: 'Conversar',
  decide: 'Decidir',
  wait: 'Esperar',
  do: 'Fazer',
  end: 'Terminar',
  draw: 'Organizar',
}
/** What can be put on the canvas, under its headings. */
export const palette = (Object.keys(toneLabels) as KindTone[]).map((tone) => ({
  tone,
  label: toneLabels[tone],
  kinds: nodeKinds.filter((kind) => kinds[kind].tone === tone && kind !== 'start' && kind !== 'foreign'),
}))
/** What a step is also looked for by. */
const otherWords: Partial<Record<NodeKind, string>> = {
  message: 'imagem foto vídeo mídia documento',
  menu: 'botões lista opções',
  ask: 'e-mail telefone número validar',
  http: 'api integração',
  assistant: 'typebot dialogflow n8n dify vapi ia inteligência artificial chatgpt bot',
  calendar: 'agendar agendamento horário marcar',
  split: 'sorteio',
  handOver: 'atendente humano transferir',
}
/** What an actions step may do that a search fits: as a step of its own it would be missed. */
export const actionsLike = (offered: readonly ActionKind[], text: string): ActionKind[] => {
  const wanted = fold(text.trim())
  return wanted ? offered.filter((kind) => fold(definitionOf(kind).label).includes(wanted)) : []
}
/** Those that a search fits, what is called so before what only does so. */
export const kindsLike = (some: readonly NodeKind[], text: string): NodeKind[] => {
  const wanted = fold(text.trim())
  const isCalled = (kind: NodeKind) => fold(nodeLabels[kind]).includes(wanted)
  const does = (kind: NodeKind) => fold(`${kinds[kind].hint} ${otherWords[kind] ?? ''}`).includes(wanted)
  return [...some.filter(isCalled), ...some.filter((kind) => !isCalled(kind) && does(kind))]
}
