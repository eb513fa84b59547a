import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { formatCents } from '../../../kit/format.ts'
import { notify } from '../../../ui/notify.ts'
import { opportunitiesKey, opportunityQuery, outcomeReasonList, saveOpportunity } from './api.ts'

type Props = { opportunity: Opportunity; status: 'win' | 'lose'; onClose: () => void }

/** Won or lost, and why. */
export const EndDialog = ({ opportunity, status, onClose }: Props) => {
  const cache = useQueryClient()
  const reasons = useQuery(outcomeReasonList)
  const offered = (reasons.data ?? []).filter(({ outcome, isActive }) => outcome === status && isActive)
  const [reasonId, setReasonId] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const isWon = status === 'win'
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem('')
    try {
      const saved = await saveOpportunity(opportunity.id, { status, reasonId: reasonId || null })
      cache.setQueryData(opportunityQuery(saved.id).queryKey, saved)
      void cache.invalidateQueries({ queryKey: opportunitiesKey })
      const back = () => {
        void saveOpportunity(saved.id, { status: 'open' })
          .catch((error: unknown) => notify.error(messageOf(error)))
          .finally(() => void cache.invalidateQueries({ queryKey: opportunitiesKey }))
      }
      notify.success(`${saved.name}: ${isWon ? 'ganha' : 'perdida'}`, { label: 'Desfazer', onClick: back })
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{isWon ? 'Ganhar a oportunidade' : 'Perder a oportunidade'}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={(event) => void handleSubmit(event)}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {opportunity.name} · {formatCents(opportunity.value)}
          </Text>
          {offered.length > 0 ? (
            <Radio.Group label="Por quê?" value={reasonId} onChange={setReasonId} error={problem || undefined}>
              <Stack gap={8} mt={8}>
                {offered.map(({ id, name }, at) => (
                  <Radio key={id} value={id} label={name} data-autofocus={at === 0 || undefined} />
                ))}
              </Stack>
            </Radio.Group>
          ) : (
            problem && (
              <Text size="sm" c="red" role="alert">
                {problem}
              </Text>
            )
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button
              type="submit"
              color={isWon ? undefined : 'red'}
              loading={busy}
              disabled={offered.length > 0 && !reasonId}
              data-autofocus={offered.length === 0 || undefined}
            >
              {isWon ? 'Ganhar' : 'Perder'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
