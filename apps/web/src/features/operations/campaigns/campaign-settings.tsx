import type { Campaign, CampaignPatch } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { Button, Text } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { notify } from '../../../ui/notify.ts'
import { AnswerFields, BrakeFields } from './answer-fields.tsx'
import { campaignQuery, saveCampaign } from './api.ts'
import classes from './campaigns.module.css'
import { PaceFields } from './sending-fields.tsx'

/** What may still change of a campaign that was started: how fast, when, where answers go, and what stops it. */
export const CampaignSettings = ({ campaign }: { campaign: Campaign }) => {
  const cache = useQueryClient()
  const [opened, setOpened] = useState(false)
  const [patch, setPatch] = useState<CampaignPatch>({})
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map())
  const [problems, setProblems] = useState<string[]>([])
  const [busy, setBusy] = useState(false)
  const shown: Campaign = { ...campaign, ...patch }
  const dirty = Object.keys(patch).length > 0
  const close = () => {
    setOpened(false)
    setPatch({})
    setErrors(new Map())
    setProblems([])
  }
  const fields = {
    campaign: shown,
    onChange: (more: CampaignPatch) => setPatch((now) => ({ ...now, ...more })),
    errorOf: (path: string) => errors.get(path),
  }
  const save = async () => {
    if (!dirty) return close()
    setBusy(true)
    try {
      cache.setQueryData(campaignQuery(campaign.id).queryKey, await saveCampaign(campaign.id, patch))
      notify.success('Salvo. Vale para quem ainda não recebeu.')
      close()
    } catch (error) {
      const refused = isApiError(error) ? error.problems : []
      setErrors(new Map(refused.map(({ path, message }) => [path, message])))
      setProblems(refused.length ? [...new Set(refused.map(({ message }) => message))] : [messageOf(error)])
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
          void save()
        }}
      >
        <div className={classes.sections}>
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
