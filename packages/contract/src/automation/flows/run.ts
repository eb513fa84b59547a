import type { Abilities } from '../../channels/abilities.ts'
import type { ContactFacts } from '../../contacts/segments/fields.ts'
import type { Segment } from '../../contacts/segments/segments.ts'
import type { Action } from '../../conversations/actions/index.ts'
import type { MessageType } from '../../conversations/messages.ts'
import type { Part } from '../../conversations/parts.ts'
import type { FlowGraph, NodeData, SavedField } from './graph.ts'

/** Words of a customer, oldest first. */
export type Said = {
  text: string
  type: MessageType
  /** Which button or row of ours they pressed. */
  choiceId: string | null
  /** The message that carries a file; the file itself may still be on its way. */
  fileId: string | null
  location: { latitude: number; longitude: number } | null
}

/** What a run waits for. Moments are ISO. */
export type Wait =
  /** The customer's answer to the step it stands on. */
  | { for: 'answer'; warnAt: string | null; until: string | null }
  | { for: 'time'; until: string; event: string | null }
  | { for: 'pause'; until: string }
  /** What a system of the company says, or that an assistant gives the conversation back. */
  | { for: 'call'; id: string }
  /** Whether what it asked for was possible: known at once. */
  | { for: 'done' }

/** Where a run stands: everything it needs to go on, as it is kept. */
export type FlowState = {
  versionId: string
  nodeId: string
  /** Flows that wait until the one it stands in is through: where each goes on. */
  above: { versionId: string; nodeId: string | null }[]
  vars: Readonly<Record<string, string>>
  wait: Wait | null
  /** Answers to this step that were not understood. */
  tries: number
  /** Questions it stood on before, for who wants to go back. */
  before: { versionId: string; nodeId: string }[]
  /** The times a calendar offered: the answer is one of them. */
  times?: readonly string[]
  /** Steps since the customer last wrote. */
  automatic: number
  /** Steps in all: names each of them. */
  steps: number
  /** What was asked and answered, for whoever takes over. */
  answers: { question: string; answer: string }[]
}

export type FlowEvent =
  | { kind: 'begin'; said: readonly Said[] }
  | { kind: 'said'; said: readonly Said[] }
  /** Its moment has come. */
  | { kind: 'due' }
  /** `port`: which way it goes on, where that is not told by `ok` alone; `note`: why, for the trace. */
  | {
      kind: 'called'
      id: string
      ok: boolean
      vars: Record<string, string>
      port?: string
      note?: string
      /** Of a calendar that was asked for them. */
      times?: readonly string[]
    }
  | { kind: 'told'; event: string; vars: Record<string, string> }
  /** What it asked for is done, or the actions of its last step were refused: on. */
  | { kind: 'on'; failed?: boolean }

/** What is to be done about the conversation, in this order. `vars` as they were then; texts are not filled in yet. */
export type FlowEffect = { stepId: string; nodeId: string } & (
  | { kind: 'say'; part: Part; vars: FlowState['vars'] }
  | { kind: 'do'; actions: readonly Action[]; vars: FlowState['vars'] }
  | { kind: 'save'; field: SavedField; value: string }
  | { kind: 'call'; request: NodeData<'http'>; vars: FlowState['vars'] }
  | { kind: 'rate'; grade: number }
  /** Free times are asked for (`called` with `times`), or one is booked: a time that is taken by then comes as the port `taken`. */
  | { kind: 'calendar'; asks: NodeData<'calendar'>; at: string | null; vars: FlowState['vars'] }
  | { kind: 'lend'; loan: FlowLoan; vars: FlowState['vars'] }
  /** The picture of a Pix charge; what comes of it comes as `called`, with its file as `picture`. */
  | { kind: 'draw'; charge: NodeData<'pix'>; amount: number | null; vars: FlowState['vars'] }
  | { kind: 'pix'; charge: NodeData<'pix'>; amount: number | null; vars: FlowState['vars']; pictureId: string | null }
)

/** On which terms an assistant is lent a conversation; what comes of it comes as `called`. */
export type FlowLoan = NodeData<'assistant'> & {
  /** Words of the flow's own, which the customer may say meanwhile: they come back by the port `words`. */
  words: string[]
  /** So long the customer may say nothing; 0: for ever. */
  silenceMinutes: number
  /** No way leads on from a hand-over: the assistant itself says and does what it does then. */
  handsOver: boolean
}

/** How a run ends. `person`: somebody of the team goes on. */
export type FlowEnd = { nodeId: string; why: EndReason } & (
  | { to: 'person'; queueId: string | null; userId: string | null; body: string; summary: boolean }
  | { to: 'closed'; reasonId: string | null; body: string }
)
/** Why it ended there. */
export type EndReason =
  | 'step'
  | 'through'
  | 'asked'
  | 'retries'
  | 'silence'
  | 'hours'
  | 'loop'
  | 'words'
  | 'assistant'
  | 'calendar'
  | 'broken'
export const endReasonTexts: Record<EndReason, string> = {
  step: 'Como o fluxo prevê',
  through: 'O fluxo chegou ao fim',
  asked: 'O cliente pediu um atendente',
  retries: 'O cliente não foi entendido várias vezes',
  silence: 'O cliente não respondeu',
  hours: 'Fora do horário de atendimento',
  loop: 'O fluxo deu voltas demais sem o cliente escrever',
  words: 'O cliente pediu para encerrar',
  assistant: 'O assistente passou a conversa',
  calendar: 'Não foi possível marcar na agenda',
  broken: 'O passo não existe mais nesta versão',
}

/** One step that was done, for the trace. */
export type FlowStep = {
  stepId: string
  versionId: string
  nodeId: string
  /** Which way it went; null: it waits here. */
  port: string | null
  /** What came in, or why it went that way. */
  note: string
}

export type Advanced = {
  state: FlowState
  effects: FlowEffect[]
  steps: FlowStep[]
  /**
   * `waiting`: until `state.wait` comes. `ended`: `end` says how. `more`: once the effects are done, with facts read
   * anew (and the version it stands in at hand), it goes `on`.
   */
  status: 'waiting' | 'ended' | 'more'
  end: FlowEnd | null
}

/** What a run sees of the world at this moment. */
export type FlowWorld = {
  now: Date
  timezone: string
  /** Of this run: the same conversation is always split the same way. */
  runId: string
  /** Which way every split goes, where somebody tries it out. */
  branch?: number | null
  /** A version at hand; undefined: it has to be fetched, and it goes `on` then. */
  graphOf: (versionId: string) => FlowGraph | undefined
  /** The published version of a flow; undefined: there is none. */
  publishedOf: (flowId: string) => string | undefined
  contact: ContactFacts
  ticket: {
    queueId: string | null
    connectionId: string
    channel: string
    priority: string
    tagIds: readonly string[]
    /** The first conversation ever with this contact. */
    isFirst: boolean
  }
  /** What the channel of the conversation carries. */
  abilities: Pick<Abilities, 'supports' | 'buttonLimits'>
  segments: ReadonlyMap<string, Segment>
  /** How the company asks for a grade. */
  rating: { question: string; retry: string; grades: readonly { value: number; label: string }[] }
  /** By the hours of that queue, else of the company. */
  isOpen: (queueId: string | null) => boolean
  /** A text with everything known filled in: for tests and computed variables. */
  fill: (text: string, vars: FlowState['vars']) => string
}
