/** What the customer sent; `url`: where it can be fetched, for a while, if the installation is on the internet. */
export type SentFile = {
  kind: 'image' | 'audio' | 'video' | 'document'
  name: string
  mime: string
  /** In bytes. */
  size: number
  url: string | null
  bytes: () => Promise<Buffer>
}
/** A turn of a conversation with a bot elsewhere. */
export type BotTurn = {
  /** What it gave us the last time; null: it has none yet. */
  session: string | null
  /** The bot greets (`start`), answers what was written, or forgets what was and greets anew. */
  event: 'start' | 'message' | 'restart'
  text: string
  files: readonly SentFile[]
  /** nome, numero, contato (its id), atendimento, email, status, canal, grupo, protocolo, fullTicket (all of it as JSON). */
  variables: Readonly<Record<string, string>>
  /** Where the company is, as IANA names it. */
  timeZone: string
  /** The same for the same turn, however often it is tried. */
  idempotencyKey: string
  /** How long the whole turn may take. */
  deadlineMs: number
  /** Nobody waits for the answer any more: a person has taken the conversation. */
  signal?: AbortSignal
}
export type BotOption = { id: string; title: string; description: string }
export type BotSays =
  | { kind: 'text'; body: string }
  | { kind: 'choices'; body: string; options: BotOption[] }
  | { kind: 'file'; url: string; caption: string }
  | { kind: 'wait'; seconds: number }
export type BotReply = {
  /** To be kept and given back; null: it begins anew the next time. */
  session: string | null
  says: BotSays[]
  /** A person goes on, in the queue of this id or name if it tells one. */
  handOver?: { queue?: string; note?: string }
  /** It has said all it had to say. */
  isDone?: boolean
  /** Tags the conversation gets, by id or name. */
  tags?: string[]
  variables?: Record<string, string>
}

/** Between two bubbles as long as the next takes to write: 400 words a minute, three seconds at most. */
export const readingPause = (one: BotSays): number => {
  if (one.kind === 'wait') return 0
  const words = 'body' in one ? one.body.split(/\s+/).length : 0
  return Math.min(3, Math.max(0.6, Math.round(words * 1.5) / 10))
}
/** What is said without a pause of its own, paced as people read. */
export const paced = (says: readonly BotSays[], isOn = true): BotSays[] =>
  says.flatMap((one, at): BotSays[] => {
    const before = says[at - 1]
    const isBare = isOn && before && before.kind !== 'wait' && one.kind !== 'wait'
    return isBare ? [{ kind: 'wait', seconds: readingPause(one) }, one] : [one]
  })

const command = /^#(transferir|encerrar)(?:\s*:\s*(.{1,100}))?$/i
/** A bubble with nothing but `#transferir`, `#transferir: fila` or `#encerrar` is for us and not for the customer. */
export const obeyed = (says: readonly BotSays[]): Pick<BotReply, 'says' | 'handOver' | 'isDone'> => {
  const found = says.flatMap((one) => {
    const match = one.kind === 'text' ? command.exec(one.body.trim()) : null
    return match ? [match] : []
  })
  const rest = says.filter((one) => one.kind !== 'text' || !command.test(one.body.trim()))
  const transfer = found.find(([, name]) => name?.toLowerCase() === 'transferir')
  return {
    says: rest,
    ...(transfer && { handOver: { queue: transfer[2]?.trim() } }),
    ...(!transfer && found.length > 0 && { isDone: true }),
  }
}

/** Whoever runs a bot may answer with a book, or with nothing but brackets: each is looked at once, and not for ever. */
const mostMarked = 100_000
/** Markdown as people write it in a chat: `*bold*`, `_italic_`, `~struck~`, links as text and address. */
export const chatMarks = (markdown: string): string =>
  markdown
    .slice(0, mostMarked)
    .replace(/!\[[^\]]{0,500}\]\((\S{1,2000}?)\)/g, '$1')
    .replace(/\[([^\]]{1,500})\]\((\S{1,2000}?)\)/g, (_, label: string, address: string) =>
      label === address ? address : `${label} (${address})`,
    )
    .replace(/^#{1,6}\s+(.+)$/gm, '**$1**')
    .replace(/^\s{0,20}[*-]\s+/gm, '• ')
    .replace(/(?<![*\w])\*(?!\*|\s)([^*\n]+?)\*(?!\*)/g, '_$1_')
    .replace(/\*\*([^*\n]+?)\*\*/g, '*$1*')
    .replace(/~~([^~\n]+?)~~/g, '~$1~')
    .trim()
