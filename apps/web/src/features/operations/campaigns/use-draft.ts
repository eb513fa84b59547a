import { type Campaign, type CampaignPatch, campaignPatch } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { isApiError, reasonOf } from '../../../kit/api-error.ts'
import { currentIn } from '../../../kit/use-row-form.ts'
import { campaignQuery, saveCampaign } from './api.ts'
import { complete } from './complete-patch.ts'
import { isEmpty, keepUnsaved, readUnsaved } from './unsaved.ts'

export type Saving = 'saved' | 'waiting' | 'saving' | 'failed' | 'conflict'
const pauseMs = 600

/**
 * A campaign that is being written: every change shows at once and is saved a moment later, the newest over what is on
 * its way. What the server refuses stays on screen with its reasons by field; what a colleague saved first waits for a
 * decision.
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
  const version = useRef(row.version)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const running = useRef<Promise<void> | null>(null)

  const send = useCallback(async () => {
    const patch = pending.current
    pending.current = {}
    sending.current = patch
    setSaving('saving')
    try {
      const saved = await saveCampaign(row.id, { ...complete(patch), version: version.current })
      version.current = saved.version
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
      setTheirs(current)
      setErrors(new Map((refused?.problems ?? []).map(({ path, message }) => [path, message])))
      // Its field may be out of sight.
      setProblem(reasonOf(error))
      setSaving(current ? 'conflict' : 'failed')
    }
  }, [cache, row.id])

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
    if (next.version <= version.current || !isEmpty(pending.current) || running.current) return
    version.current = next.version
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
        version.current = theirs.version
        cache.setQueryData(campaignQuery(row.id).queryKey, theirs)
        setShown(theirs)
        setTheirs(null)
        setProblem('')
        setSaving('saved')
      },
      onOverwrite: () => {
        version.current = theirs.version
        setTheirs(null)
        void flush()
      },
    },
  }
}

const written = Object.keys(campaignPatch.shape).filter((field) => field !== 'version')
const writtenOf = (row: Campaign): Partial<Campaign> =>
  Object.fromEntries(Object.entries(row).filter(([field]) => written.includes(field)))
