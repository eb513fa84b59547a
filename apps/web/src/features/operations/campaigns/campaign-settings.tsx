import type { Campaign, CampaignPatch } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { Button, Text } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError, messageOf, problemsOf } from '../../../kit/api-error.ts'
import { currentIn } from '../../../kit/use-row-form.ts'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { notify } from '../../../ui/notify.ts'
import { AnswerFields, BrakeFields } from './answer-fields.tsx'
import { campaignQuery, saveCampaign } from './api.ts'
import classes from './campaigns.module.css'
import { mergeChanges } from './merge-changes.ts'
import { PaceFields } from './sending-fields.tsx'

/** What may still change of a campaign that was started: how fast, when, where answers go, and what stops it. */
export const CampaignSettings = ({ campaign }: { campaign: Campaign }) => {
  const cache = useQueryClient()
  const [opened, setOpened] = useState(false)
  const [patch, setPatch] = useState<CampaignPatch>({})
  /** As it was when the first change was made: what a colleague saves meanwhile is compared with it. */
  const [base, setBase] = useState<Campaign | null>(null)
  const [theirs, setTheirs] = useState<Campaign | null>(null)
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map())
  const [problems, setProblems] = useState<string[]>([])
  const [busy, setBusy] = useState(false)
  const shown: Campaign = { ...(base ?? campaign), ...patch }
  const dirty = Object.keys(patch).length > 0
  const forget = () => {
    setPatch({})
    setBase(null)
    setTheirs(null)
    setErrors(new Map())
    setProblems([])
  }
  const close = () => {
    setOpened(false)
    forget()
  }
  const fields = {
    campaign: shown,
    onChange: (more: CampaignPatch) => {
      setBase((now) => now ?? campaign)
      setPatch((now) => ({ ...now, ...more }))
    },
    errorOf: (path: string) => errors.get(path),
  }
  const save = async (over: Campaign, mine: CampaignPatch): Promise<void> => {
    setBusy(true)
    setTheirs(null)
    try {
      const saved = await saveCampaign(campaign.id, { ...mine, version: over.version })
      cache.setQueryData(campaignQuery(campaign.id).queryKey, saved)
      notify.success('Salvo. Vale para quem ainda não recebeu.')
      close()
    } catch (error) {
      const current = isApiError(error, 'ERR_CONFLICT') ? currentIn<Campaign>(error.details) : null
      if (current) {
        const merged = mergeChanges(over, mine, current)
        if (merged.changes.length === 0) return await save(current, merged.patch)
        setTheirs(current)
      }
      const refused = problemsOf(error)
      setErrors(new Map(refused.map(({ path, message }) => [path, message])))
      const lines = refused.length ? [...new Set(refused.map(({ message }) => message))] : [messageOf(error)]
      setProblems(current ? [] : lines)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button variant="default" leftSection={<IconAdjustments size={18} aria-hidden />} onClick={() => setOpened(true)}>
        Ajustar
      </Button>
      <FormDrawer
        opened={opened}
        title="Ajustar a campanha"
        dirty={dirty}
        busy={busy}
        problems={problems}
        onClose={close}
        onSubmit={(event) => {
          event.preventDefault()
          if (dirty && base) void save(base, patch)
          else close()
        }}
      >
        <div className={classes.sections}>
          {theirs && base && (
            <ConflictNotice
              changes={mergeChanges(base, patch, theirs).changes}
              onReload={() => {
                cache.setQueryData(campaignQuery(campaign.id).queryKey, theirs)
                forget()
              }}
              onOverwrite={() => void save(theirs, mergeChanges(base, patch, theirs).patch)}
            />
          )}
          <Text size="sm" c="dimmed">
            Vale para quem ainda não recebeu. Público, mensagens e canais não mudam mais.
          </Text>
          <section className={classes.section} aria-label="Ritmo e horários">
            <PaceFields {...fields} hasBegun={campaign.startedAt !== null} />
          </section>
          <section className={classes.section} aria-label="Respostas">
            <AnswerFields {...fields} />
          </section>
          <section className={classes.section} aria-label="Segurança">
            <BrakeFields {...fields} />
          </section>
        </div>
      </FormDrawer>
    </>
  )
}
