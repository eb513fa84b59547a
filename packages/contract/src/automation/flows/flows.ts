import { z } from 'zod'
import { id, moment, namedRef, pageQuery } from '../../common.ts'
import { media } from '../../core/media.ts'
import { resource, rowMeta } from '../../resource.ts'
import { flowNode, flowSettings, nodeId } from './graph.ts'

/** A flow as lists show it. Its steps are a draft of their own; what runs is a published version. */
const flowWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  description: z.string().trim().max(200, 'Use no máximo 200 caracteres.').default(''),
  isActive: z.boolean().default(true),
  /** While there is one, it starts by itself for this phone alone. */
  celularTeste: z.string().trim().max(40).nullable().default(null),
  /** A new one: with the steps of this ready flow (`gallery.ts`); later it says where it came from. */
  model: z.string().max(40).nullable().default(null),
})
/** A version as it is named. */
export const flowVersionRef = z.object({ id, number: z.int(), at: moment, user: namedRef.nullable(), note: z.string() })
export const flow = rowMeta.extend(flowWrite.shape).extend({
  userId: id.nullable(),
  /** What new conversations run; null: it was never published. */
  published: flowVersionRef.nullable(),
  /** The draft is ahead of what is published. */
  isChanged: z.boolean(),
  /** Conversations it has in hand. */
  running: z.int(),
  /** Where it starts by itself: channels, queues, and the company as a whole. */
  startsOn: z.array(z.object({ kind: z.enum(['connection', 'queue', 'company', 'keyword']), name: z.string() })),
})
export type Flow = z.output<typeof flow>

export const flowResource = resource({
  path: '/chat-flow',
  event: 'chatFlow',
  label: { one: 'Fluxo', many: 'Fluxos' },
  row: flow,
  write: flowWrite,
  fields: { name: 'Nome', description: 'Descrição', isActive: 'Ativo', celularTeste: 'Celular de teste' },
  sort: ['name', 'createdAt', 'updatedAt'],
  // Whoever answers may hand a conversation to one.
  can: { read: 'tickets.write', write: 'flows.write' },
})

/** GET /chat-flow-naming/{id}: flows whose draft, or what runs of them, names this row: a queue, a person, a tag… */
export const flowsNaming = z.object({ items: z.array(namedRef) })

/** GET /chat-flow-accounts: what answers or is written in besides us, and a step may name. */
export const flowAccounts = z.object({
  assistants: z.array(namedRef.extend({ isReady: z.boolean() })),
  calendars: z.array(namedRef.extend({ isReady: z.boolean() })),
})
export type FlowAccounts = z.output<typeof flowAccounts>

/** POST /chat-flow-duplicate. */
export const flowDuplicate = z.strictObject({ id })

/**
 * GET /chat-flow/{id}/draft. `revision` grows with each change, `revisions` says with which one a step last changed,
 * `authors` by whom.
 */
export const flowDraft = z.object({
  revision: z.int(),
  nodes: z.array(flowNode),
  settings: flowSettings,
  revisions: z.record(nodeId, z.int()),
  authors: z.record(nodeId, id).default({}),
  /** The files its messages send. */
  media: z.array(media).default([]),
  settingsRevision: z.int(),
  settingsUserId: id.nullable().default(null),
})
export type FlowDraft = z.output<typeof flowDraft>
/**
 * POST /chat-flow/{id}/draft: steps as they are now and those that go. `base` is the revision this window has seen: where
 * somebody else has changed one of the same steps since, nothing is written (409, `conflicts`).
 */
export const flowDraftChange = z.strictObject({
  base: z.int(),
  upserts: z.array(flowNode).max(1_000).default([]),
  removes: z.array(nodeId).max(1_000).default([]),
  settings: flowSettings.optional(),
})
export type FlowDraftChange = z.output<typeof flowDraftChange>
export const flowDraftChanged = z.object({
  revision: z.int(),
  /** Steps as somebody else has them now (null: gone), and the settings, if they are theirs; then nothing was written. */
  conflicts: z.array(z.object({ id: nodeId, node: flowNode.nullable(), userId: id.nullable() })),
  settings: flowSettings.nullable(),
  settingsUserId: id.nullable(),
})

/** What is wrong before it can run, at its step (null: in the settings). An error keeps it from being published. */
export const flowProblem = z.object({
  nodeId: nodeId.nullable(),
  /** Of the step's data: `options.0.title`. */
  path: z.string(),
  message: z.string(),
  level: z.enum(['error', 'warning']),
})
export type FlowProblem = z.output<typeof flowProblem>
/** GET /chat-flow/{id}/problems: of the draft, with what only the server knows. */
export const flowProblems = z.object({ items: z.array(flowProblem) })

/** POST /chat-flow/{id}/publish: the draft as of this revision becomes the version that new conversations run. */
export const flowPublish = z.strictObject({
  revision: z.int(),
  note: z.string().trim().max(200, 'Use no máximo 200 caracteres.').default(''),
})
/** GET /chat-flow/{id}/versions, newest first. */
export const flowVersion = flowVersionRef.extend({ nodes: z.int(), running: z.int(), isPublished: z.boolean() })
export type FlowVersion = z.output<typeof flowVersion>
/** GET /chat-flow/{id}/versions/{versionId}. POST …/restore puts it into the draft, POST …/publish lets it run again. */
export const flowVersionGraph = flowVersionRef.extend({ nodes: z.array(flowNode), settings: flowSettings })

/** GET /chat-flow/{id}/export and PUT /chat-flow-import/{id}: ours; the importer takes the other family's too. */
export const flowFile = z.object({
  product: z.literal('balcao'),
  format: z.literal(1),
  name: z.string(),
  nodes: z.array(flowNode),
  settings: flowSettings,
})
/** What became of a file that was imported, step by step. */
export const importNote = z.object({
  level: z.enum(['kept', 'changed', 'lost']),
  /** Where it stands now. */
  nodeId: nodeId.nullable(),
  /** As it was called there. */
  what: z.string(),
  /** What became of it. */
  how: z.string(),
})
export type ImportNote = z.output<typeof importNote>
export const flowImported = z.object({
  revision: z.int(),
  from: z.enum(['balcao', 'izing']),
  notes: z.array(importNote),
})

/** Days for which what ended runs did is kept. */
export const runsKeptDays = 90

/** GET /chat-flow/{id}/numbers. */
export const flowNumbersQuery = z.object({ from: z.iso.date(), to: z.iso.date(), versionId: id.optional() })
export const flowNumbers = z.object({
  /** Of each step: conversations that came through, which way, that stopped answering there, that went to a person there. */
  nodes: z.array(
    z.object({
      nodeId: z.string(),
      passed: z.int(),
      ports: z.record(z.string(), z.int()),
      waiting: z.int(),
      dropped: z.int(),
      toPerson: z.int(),
    }),
  ),
  started: z.int(),
  ended: z.int(),
})
export type FlowNumbers = z.output<typeof flowNumbers>

/** GET /tickets/{id}/flow-runs: what flows did in a conversation, newest first. */
export const flowRun = z.object({
  id,
  flow: namedRef,
  version: z.object({ id, number: z.int() }),
  startedBy: z.string(),
  startedAt: moment,
  endedAt: moment.nullable(),
  /** How it ended, or what it waits for, in Portuguese. */
  outcome: z.string(),
  vars: z.record(z.string(), z.string()),
  steps: z.array(
    z.object({
      stepId: z.string(),
      versionId: id,
      nodeId: z.string(),
      /** Kind and name of the step in that version. */
      label: z.string(),
      port: z.string().nullable(),
      note: z.string(),
      /** To the customer, as it was sent. */
      said: z.string(),
      at: moment,
      /** Of our own time. */
      ms: z.number(),
      /** What of it could not be done, in Portuguese. */
      problem: z.string().nullable(),
    }),
  ),
})
export type FlowRun = z.output<typeof flowRun>
export const flowRuns = z.object({ items: z.array(flowRun) })
export const flowVersionsQuery = pageQuery

/** POST /chat-flow-event: tells the run of a conversation that waits for it that something happened. */
export const flowEventBody = z.strictObject({
  ticketId: id,
  event: z.string().trim().min(1, 'Informe o evento.').max(60),
  /** Become variables of the run. */
  data: z.record(z.string().max(40), z.string().max(1_000)).default({}),
})

/** Who has a flow open, and on which step: told over the socket (`chatFlow.viewers`), asked by `chatFlow.look`. */
export const flowViewer = z.object({ userId: id, name: z.string(), nodeId: nodeId.nullable() })
export type FlowViewer = z.output<typeof flowViewer>
