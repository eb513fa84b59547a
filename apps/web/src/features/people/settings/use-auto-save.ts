import type { SettingsAnswer } from '@balcao/contract/people/settings.ts'
import { exclusiveSettings } from '@balcao/contract/people/visibility.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isApiError, messageOf, problemsOf } from '../../../kit/api-error.ts'
import { refreshUser } from '../../../kit/polling.ts'
import { notify } from '../../../ui/notify.ts'
import { hoursQuery, type Patch, settingsQuery } from './api.ts'

export type Change = {
  /** The control it was made at; a refusal that names no field is shown there. */
  at: string
  /** What the toast says: "Fuso horário salvo." */
  done: string
  patch: Patch
  write: (patch: Patch, before: Patch) => Promise<SettingsAnswer>
}
export type Save = (change: Change) => Promise<boolean>

/**
 * Saves a change at once: seen here before the server answers, told with a way back, and taken back with the server's
 * sentence at its control when refused. Changes are sent one after the other, in the order they were made.
 */
export const useAutoSave = () => {
  const cache = useQueryClient()
  const [problems, setProblems] = useState<Record<string, string>>({})
  const last = useRef<Promise<unknown>>(Promise.resolve())

  const send = async (change: Change, isUndo: boolean): Promise<boolean> => {
    const before = knownOf(cache, change.patch)
    setProblems(({ [change.at]: _, ...others }) => others)
    await cache.cancelQueries({ queryKey: ['settings'] }) // an older reading must not draw over the change
    put(cache, change.patch)
    try {
      const turn = last.current.then(() => change.write(change.patch, before))
      last.current = turn.catch(() => undefined)
      const saved = await turn
      put(cache, pick(saved, change.patch))
      setProblems((now) => withoutSolved(now, change.patch))
      const undo = { label: 'Desfazer', onClick: () => void send({ ...change, patch: before }, true) }
      notify.success(isUndo ? 'Alteração desfeita.' : change.done, isUndo ? undefined : undo)
      void refreshUser().catch(() => undefined) // colours, logo and flags of this page follow; the poll is the net
      return true
    } catch (error) {
      put(cache, before)
      if (isApiError(error) && error.status === 409) void cache.invalidateQueries({ queryKey: ['settings'] }) // a colleague was faster: theirs is shown
      const named = problemsOf(error).find((one) => one.path in change.patch)
      const first = problemsOf(error)[0]
      const sentence = named?.message ?? first?.message ?? messageOf(error)
      setProblems((now) => ({ ...now, [named?.path ?? change.at]: sentence }))
      if (isUndo) notify.error(sentence)
      return false
    }
  }
  const save: Save = (change) => send(change, false)
  return { save, problems }
}

/** One of settings that exclude each other changed: why another of them was refused may not be true any more. */
export const withoutSolved = (problems: Record<string, string>, patch: Patch): Record<string, string> => {
  const exclusive: readonly string[] = exclusiveSettings
  if (!Object.keys(patch).some((name) => exclusive.includes(name))) return problems
  return Object.fromEntries(Object.entries(problems).filter(([name]) => !exclusive.includes(name)))
}

const put = (cache: QueryClient, patch: Patch) => {
  cache.setQueryData(settingsQuery.queryKey, (now) => now && { ...now, ...patch })
  cache.setQueryData(hoursQuery.queryKey, (now) => now && { ...now, ...patch })
}

/** The values these settings have now, wherever they were read. */
const knownOf = (cache: QueryClient, patch: Patch): Patch =>
  pick({ ...cache.getQueryData(hoursQuery.queryKey), ...cache.getQueryData(settingsQuery.queryKey) }, patch)

const pick = (from: Patch, names: Patch): Patch =>
  Object.fromEntries(Object.entries(from).filter(([name]) => name in names))
