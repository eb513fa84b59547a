import { channels } from '@balcao/contract/channels/index.ts'
import type { Campaign } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { Button, Select, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonOf } from '../../../kit/api-error.ts'
import { connectionList } from '../../channels/connections/api.ts'
import { receiveJob } from '../../conversations/tickets/bulk-api.ts'
import { BulkProgress } from '../jobs/bulk-progress.tsx'
import { checkNumbers } from './api.ts'
import classes from './campaigns.module.css'

/** Which numbers of the audience WhatsApp knows, asked by a phone of the company before anybody is written to. */
export const NumberCheck = ({ campaign }: { campaign: Campaign }) => {
  const cache = useQueryClient()
  const phones =
    useQuery(connectionList).data?.filter(({ kind, status }) => isPhone(kind) && status === 'CONNECTED') ?? []
  const [wished, setWished] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const by =
    phones.find(({ id }) => id === wished) ?? phones.find(({ id }) => campaign.connectionIds.includes(id)) ?? phones[0]
  if (!by || !campaign.connections.some(({ kind }) => isPhone(kind) || kind === 'waba')) return null
  const handleCheck = async () => {
    setBusy(true)
    setProblem('')
    try {
      receiveJob(cache, await checkNumbers(campaign.id, by.id))
    } catch (error) {
      setProblem(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label="Conferir números" className={classes.tryOut}>
      <Text size="sm" c="dimmed">
        Pergunte ao WhatsApp quais números do público existem, 25 de cada vez. Quem não tem WhatsApp fica de fora:
        ensaie de novo quando terminar.
      </Text>
      {phones.length > 1 && (
        <Select
          label="Conferir por"
          allowDeselect={false}
          data={phones.map(({ id, name }) => ({ value: id, label: name }))}
          value={by.id}
          onChange={(id) => id && setWished(id)}
        />
      )}
      {problem && (
        <Text size="sm" c="red" role="alert">
          {problem}
        </Text>
      )}
      <Button variant="default" loading={busy} onClick={() => void handleCheck()}>
        Conferir números
      </Button>
      <BulkProgress kind="checkCampaignNumbers" only={({ subjectId }) => subjectId === campaign.id} />
    </section>
  )
}

const isPhone = (kind: keyof typeof channels): boolean => {
  const { isUnofficial = false }: { isUnofficial?: boolean } = channels[kind]
  return isUnofficial
}
