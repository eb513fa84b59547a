import { partWay, type ShownPart } from '@balcao/contract/conversations/parts.ts'
import { fillVariables, type VariableContext } from '@balcao/contract/variables.ts'
import { useSyncExternalStore } from 'react'
import type { Abilities } from './abilities.ts'
import { createDrawer, onOwnerChange } from './drawer.ts'

/**
 * A quick message in the composer of one conversation: its parts go with the next press of the button. Without parts its
 * words are in the text already, and only its use is counted.
 */
export type Ready = { quickMessageId: string; key: string; parts: readonly ShownPart[] }

const drawer = createDrawer('prontas')
const kept = new Map<string, Ready | null>()
const listeners = new Set<() => void>()

export const useReady = (ticketId: string) => useSyncExternalStore(subscribe, () => readyOf(ticketId))

export const readyOf = (ticketId: string): Ready | null => {
  const known = kept.get(ticketId)
  if (known !== undefined) return known
  const stored = drawer.read(ticketId) as Ready | null // written by `makeReady`
  kept.set(ticketId, stored)
  return stored
}

/** Takes the place of what was ready before. */
export const makeReady = (ticketId: string, ready: Ready | null) => {
  if (readyOf(ticketId) === ready) return
  kept.set(ticketId, ready)
  if (ready) drawer.write(ticketId, ready)
  else drawer.remove(ticketId)
  changed()
}

/** One of its parts is not to go. */
export const withoutPart = (ticketId: string, at: number) => {
  const ready = readyOf(ticketId)
  const parts = ready?.parts.toSpliced(at, 1) ?? []
  makeReady(ticketId, ready && parts.length ? { ...ready, parts } : null)
}

type Limits = { abilities: Abilities; context: VariableContext; longest: number }
/** What a part becomes in this conversation. */
export type GoingPart = ReturnType<typeof goingOut>[number]
/** What each part becomes here: as which type, with which words, what its channel changes, and what keeps all from going. */
export const goingOut = (ready: Ready | null, { abilities, context, longest }: Limits) =>
  (ready?.parts ?? []).map((part) => {
    const way = abilities.channel
      ? partWay(abilities.channel, part, part.media)
      : { type: null, note: 'Carregando o canal…' }
    const body = fillVariables(part.body, context).trim()
    const most = part.media ? abilities.textLimits.caption : longest
    const problem =
      part.body && !body
        ? 'Ficaria vazia: o contato não tem os dados que as variáveis pedem.'
        : body.length > most
          ? `Longa demais para este canal: ${body.length - most} caracteres a mais.`
          : null
    return { part, ...way, body, problem: way.type ? problem : null }
  })

const changed = () => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

// At the end: they need everything above.
onOwnerChange(() => {
  kept.clear()
  changed()
})
drawer.onChange((ticketId) => {
  kept.delete(ticketId)
  changed()
})
