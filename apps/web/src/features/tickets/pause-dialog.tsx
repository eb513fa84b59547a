import type { Ticket } from '@balcao/contract/tickets.ts'
import { momentAt, wallTimeOf } from '@balcao/contract/wall-time.ts'
import { Button, Checkbox, Chip, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useCurrentSession } from '../../kit/session.ts'
import { MomentField } from '../../ui/date-field.tsx'
import { pauseTicket } from './calls.ts'
import { type PausePreset, presetsAt } from './pause-presets.ts'
import { useTicketCall } from './use-ticket-call.ts'

type Props = { ticket: Ticket; onClose: () => void }
type Choice = PausePreset['key'] | 'other' | 'none'

/** Puts a conversation away until a moment, until the customer writes, or until somebody takes it up. */
export const PauseDialog = ({ ticket, onClose }: Props) => {
  const { timezone } = useCurrentSession().user.tenant
  const [presets] = useState(() => presetsAt(Date.now(), timezone))
  const [choice, setChoice] = useState<Choice>('hour')
  const [other, setOther] = useState(() => wallTimeOf(new Date(Date.now() + 24 * 3_600_000), timezone))
  const [wakesOnReply, setWakesOnReply] = useState(true)
  const [reason, setReason] = useState(ticket.pauseReason ?? '')
  const { busy, run, problemOf } = useTicketCall()

  const wall = choice === 'other' ? other : presets.find((one) => one.key === choice)?.wall
  const isReady = choice === 'none' || Boolean(wall)
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const until = choice !== 'none' && wall ? momentAt(wall, timezone) : null
    if (await run(() => pauseTicket(ticket.id, { until, wakesOnReply, pauseReason: reason.trim() || undefined })))
      onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Pausar atendimento</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit} noValidate>
        <Stack gap="md">
          <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
            <Text component="legend" size="sm" fw={500} mb={6}>
              Até quando
            </Text>
            <Chip.Group value={choice} onChange={(next) => setChoice(choiceOf(next))}>
              <Group gap={8}>
                {presets.map(({ key, label }) => (
                  <Chip key={key} value={key} size="sm">
                    {label}
                  </Chip>
                ))}
                <Chip value="other" size="sm">
                  Outra data
                </Chip>
                <Chip value="none" size="sm">
                  Sem data
                </Chip>
              </Group>
            </Chip.Group>
            {choice === 'other' && (
              <MomentField
                mt="sm"
                aria-label="Data e hora do retorno"
                maxDate="2999-12-31"
                value={other}
                onChange={setOther}
              />
            )}
            {problemOf('until') && (
              <Text size="sm" c="red" mt={6} role="alert">
                {problemOf('until')}
              </Text>
            )}
          </fieldset>
          <Checkbox
            label="Voltar antes se o cliente responder"
            description={
              choice === 'none' && !wakesOnReply ? 'O atendimento fica pausado até alguém retomar.' : undefined
            }
            checked={wakesOnReply}
            onChange={(event) => setWakesOnReply(event.currentTarget.checked)}
          />
          <TextInput
            label="Motivo"
            description="Opcional. Só a equipe vê."
            maxLength={200}
            value={reason}
            error={problemOf('pauseReason')}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Stack>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" loading={busy} disabled={!isReady}>
            Pausar
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

const choices: readonly Choice[] = ['hour', 'tomorrow', 'monday', 'other', 'none']
const choiceOf = (value: string | string[]): Choice => choices.find((one) => one === value) ?? 'hour'
