import { type Message, mostInAlbum } from '@balcao/contract/conversations/messages.ts'
import { dayOf } from '../../../kit/format.ts'
import { nowMs } from '../../../ui/server-time.ts'

/** A message as the conversation draws it. */
export type ChatRow = {
  message: Message
  /** Pictures and films sent as one group, of which `message` is the first. */
  album?: Message[]
  /** It left in the mail of the row above, whose head says it all. */
  isOfMailAbove?: true
  /** First of its day: the separator above it. */
  startsDay: boolean
  /** First and last of a run of one side: they share a corner and one time. */
  isFirst: boolean
  isLast: boolean
  /** The "novas mensagens" line stands above it. */
  startsNew: boolean
}

const togetherMs = 5 * 60_000

/** The row of this message, whether alone or in an album. */
export const holds = ({ message, album = [message] }: ChatRow, id: string) => album.some((one) => one.id === id)

/**
 * One row per message or album, with day separators, groups and the marker of what is new. Reactions and pictures of a
 * mail are drawn in theirs. `isApart`: the pictures of an album each for itself, to be chosen one by one.
 */
export const rowsOf = (
  messages: readonly Message[],
  firstNewId: string | null = null,
  { isApart = false } = {},
): ChatRow[] => {
  const drawn = messages.filter((message) => message.type !== 'reaction' && !message.payload?.drawn)
  const groups = isApart ? drawn.map((message) => [message]) : groupsOf(drawn)
  const shown = groups.flatMap(([first]) => first ?? [])
  const isNew = (at: number) => groups[at]?.some(({ id }) => id === firstNewId) ?? false
  const days = shown.map((message) => dayOf(message.timestamp))
  const starts = shown.map((message, index) => {
    const before = shown[index - 1]
    return !before || days[index] !== days[index - 1] || isNew(index) || !isTogether(before, message)
  })
  return shown.map((message, index) => ({
    message,
    ...((groups[index]?.length ?? 0) > 1 && { album: groups[index] }),
    ...(isOfMail(shown[index - 1], message) && { isOfMailAbove: true }),
    startsDay: days[index] !== days[index - 1],
    isFirst: starts[index] ?? true,
    isLast: starts[index + 1] ?? true,
    startsNew: isNew(index),
  }))
}

/** What was sent as one group and stands together, at most ten as everywhere. */
const groupsOf = (messages: readonly Message[]): Message[][] => {
  const groups: Message[][] = []
  for (const message of messages) {
    const group = groups.at(-1)
    const [first] = group ?? []
    const album = message.payload?.album?.id
    const belongs =
      album &&
      album === first?.payload?.album?.id &&
      first.fromMe === message.fromMe &&
      isSeen(first) &&
      isSeen(message)
    if (group && belongs && group.length < mostInAlbum) group.push(message)
    else groups.push([message])
  }
  return groups
}

/** What left in a mail with a head of its own stands below it by itself. */
const isSeen = ({ type, payload }: Message) => (type === 'image' || type === 'video') && !payload?.mail

const isOfMail = (before: Message | undefined, { payload }: Message): boolean =>
  payload?.mail !== undefined && payload.album !== undefined && payload.album.id === before?.payload?.album?.id

const isTogether = (one: Message, next: Message) =>
  sideOf(one) === sideOf(next) &&
  sideOf(next) !== 'system' &&
  one.user?.id === next.user?.id &&
  one.author?.id === next.author?.id &&
  one.author?.name === next.author?.name &&
  Date.parse(next.timestamp) - Date.parse(one.timestamp) < togetherMs

type Side = 'theirs' | 'ours' | 'note' | 'system'
export const sideOf = (message: Pick<Message, 'type' | 'fromMe'>): Side =>
  message.type === 'system' ? 'system' : message.type === 'note' ? 'note' : message.fromMe ? 'ours' : 'theirs'

/** Where the unread messages of a customer begin, as far as they are loaded; null when there are none. */
export const firstUnreadOf = (messages: readonly Message[], unread: number): string | null => {
  if (unread <= 0) return null
  const theirs = messages.filter((message) => sideOf(message) === 'theirs' && message.type !== 'reaction')
  return (theirs.at(-unread) ?? theirs[0])?.id ?? null
}

/** "Hoje", "Ontem", "segunda-feira, 2 de março", with the year when it is another. */
export const dayLabel = (moment: string, now = new Date(nowMs())): string => {
  const day = dayOf(moment)
  if (day === dayOf(now)) return 'Hoje'
  if (day === dayOf(new Date(now.getTime() - 86_400_000))) return 'Ontem'
  const isThisYear = day.slice(0, 4) === dayOf(now).slice(0, 4)
  // The day is already the tenant's; noon UTC keeps it whatever the zone of the browser.
  return new Intl.DateTimeFormat('pt-BR', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(`${day}T12:00:00Z`))
}
