import { type Campaign, type CampaignPatch, campaignPatch } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { isApiError, reasonOf } from '../../../kit/api-error.ts'
import { currentIn } from '../../../kit/use-row-form.ts'
import { campaignQuery, saveCampaign } from './api.ts'
import { complete } from './complete-patch.ts'
import { mergeChanges } from './merge-changes.ts'
import { isEmpty, keepUnsaved, readUnsaved } from './unsaved.ts'

export type Saving = 'saved' | 'waiting' | 'saving' | 'failed' | 'conflict'
const pauseMs = 600

/**
 * A campaign that is being written: every change shows at once and is saved a moment later, the newest over what is on
 * its way. What the server refuses stays on screen with its reasons by field. What a colleague saved first stays beside
 * what is written here; where both changed the same, that waits for a decision.
 */
export const useDraft = (row: Campaign) => {
  const cache = useQueryClient()
  const [kept] = useState(() => readUnsaved(row.id))
  const [shown, setShown] = useState<Campaign>({ ...row, ...kept })
  const [saving, setSaving] = useState<Saving>(kept ? 'waiting' : 'saved')
  const [problem, setProblem] = useState('')
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map())
  const [theirs, setTheirs] = useState<Campaign | null>(null)
  const pending = useRef<CampaignPatch>(kept ?? {})
  /** On its way: not there yet. */
  const sending = useRef<CampaignPatch>({})
  /** As the server had it last: what a colleague saves meanwhile is compared with it. */
  const base = useRef(row)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const running = useRef<Promise<void> | null>(null)

  const send = useCallback(
    async function again(): Promise<void> {
      const patch = pending.current
      pending.current = {}
      sending.current = patch
      setSaving('saving')
      try {
        const saved = await saveCampaign(row.id, { ...complete(patch), version: base.current.version })
        base.current = saved
        sending.current = {}
        cache.setQueryData(campaignQuery(row.id).queryKey, saved)
        setErrors(new Map())
        setProblem('')
        // What one writes stays as it was written; the rest is what the server made of it.
        setShown((now) => ({ ...saved, ...writtenOf(now) }))
        keepUnsaved(row.id, pending.current)
        setSaving(isEmpty(pending.current) ? 'saved' : 'waiting')
      } catch (error) {
        pending.current = { ...patch, ...pending.current }
        sending.current = {}
        keepUnsaved(row.id, pending.current)
        const refused = isApiError(error) ? error : null
        const current = refused?.code === 'ERR_CONFLICT' ? currentIn<Campaign>(refused.details) : null
        const merged = current && mergeChanges(base.current, pending.current, current)
        if (current && merged?.changes.length === 0) {
          base.current = current
          pending.current = merged.patch
          setShown((now) => ({ ...now, ...current, ...merged.patch }))
          return again()
        }
        setTheirs(current)
        setErrors(new Map((refused?.problems ?? []).map(({ path, message }) => [path, message])))
        // Its field may be out of sight.
        setProblem(reasonOf(error))
        setSaving(current ? 'conflict' : 'failed')
      }
    },
    [cache, row.id],
  )

  /** Saves what waits now; resolves once nothing does. False where something could not be saved. */
  const flush = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current)
    // Another call may have begun to save the rest while this one waited.
    while (running.current) await running.current
    if (isEmpty(pending.current)) return true
    running.current = send().finally(() => {
      running.current = null
    })
    await running.current
    return isEmpty(pending.current)
  }, [send])

  const change = useCallback(
    (patch: CampaignPatch) => {
      setShown((now) => ({ ...now, ...patch }))
      pending.current = { ...pending.current, ...patch }
      keepUnsaved(row.id, { ...sending.current, ...pending.current })
      setSaving((now) => (now === 'conflict' ? now : 'waiting'))
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void flush(), pauseMs)
    },
    [flush, row.id],
  )

  // A colleague saved while nothing of ours waits: theirs is shown.
  const follow = useEffectEvent((next: Campaign) => {
    if (next.version <= base.current.version || !isEmpty(pending.current) || running.current) return
    base.current = next
    setShown(next)
  })
  useEffect(() => {
    follow(row)
  }, [row])
  const leave = useEffectEvent(() => {
    void flush()
  })
  useEffect(() => {
    if (kept) leave()
    return () => leave()
  }, [kept])

  return {
    campaign: shown,
    change,
    flush,
    saving,
    problem,
    errors,
    conflict: theirs && {
      onReload: () => {
        pending.current = {}
        keepUnsaved(row.id, {})
        base.current = theirs
        cache.setQueryData(campaignQuery(row.id).queryKey, theirs)
        setShown(theirs)
        setTheirs(null)
        setProblem('')
        setSaving('saved')
      },
      onOverwrite: () => {
        base.current = theirs
        setShown((now) => ({ ...now, ...theirs, ...pending.current }))
        setTheirs(null)
        void flush()
      },
    },
  }
}

const written = Object.keys(campaignPatch.shape).filter((field) => field !== 'version')
const writtenOf = (row: Campaign): Partial<Campaign> =>
  Object.fromEntries(Object.entries(row).filter(([field]) => written.includes(field)))
