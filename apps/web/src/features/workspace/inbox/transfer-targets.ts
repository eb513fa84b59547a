export type Target = { key: string; kind: 'user' | 'queue'; id: string; name: string; note: string }
type Person = { id: string; name: string; isOnline: boolean; isAway: boolean; queueIds: string[] }
type Given = {
  people: readonly Person[]
  /** Who has it: to them it cannot go. */
  holderId: string | null
  queues: readonly { id: string; name: string; isActive: boolean }[]
  loads: ReadonlyMap<string, number>
  /** Chosen beside: only its people, and itself. */
  queueId: string | null
  words: string
  /** What was chosen last. */
  last: string | null
}

/** To whom a conversation may go, in the order one looks for them: the last choice, who is there and has least, queues. */
export const transferTargets = ({ people, holderId, queues, loads, queueId, words, last }: Given): Target[] => {
  const rank = ({ isOnline, isAway }: Person) => (isOnline ? (isAway ? 1 : 0) : 2)
  const load = ({ id }: Person) => loads.get(id) ?? 0
  const users = people
    .filter((person) => person.id !== holderId && (!queueId || person.queueIds.includes(queueId)))
    .toSorted((a, b) => rank(a) - rank(b) || load(a) - load(b) || a.name.localeCompare(b.name, 'pt-BR'))
    .map((person): Target => {
      const { id, name } = person
      return { key: `user:${id}`, kind: 'user', id, name, note: noteOf(person, load(person)) }
    })
  const places = queues
    .filter(({ id, isActive }) => isActive && (!queueId || id === queueId))
    .map(({ id, name }): Target => ({ key: `queue:${id}`, kind: 'queue', id, name, note: 'Fila' }))
  const wanted = plain(words)
  const found = [...users, ...places].filter(({ name }) => plain(name).includes(wanted))
  return found.toSorted((a, b) => Number(b.key === last) - Number(a.key === last))
}

const noteOf = ({ isOnline, isAway }: Person, load: number): string => {
  const state = isOnline ? (isAway ? 'Em pausa' : '') : 'Offline'
  return [state, load === 0 ? 'livre' : `${load} em atendimento`].filter(Boolean).join(' · ')
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
