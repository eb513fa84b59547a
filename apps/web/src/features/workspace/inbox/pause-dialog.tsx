import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { momentAt, wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useCurrentSession } from '../../../kit/session.ts'
import { MomentField } from '../../../ui/date-field.tsx'
import { nowMs } from '../../../ui/server-time.ts'
import { pauseTicket } from '../../conversations/tickets/handling.ts'
import { lastChoice, rememberChoice } from './last-choice.ts'
import { presetsAt } from './pause-presets.ts'
import { useTicketCall } from './use-ticket-call.ts'

type Props = { ticket: Ticket; onClose: () => void; onLeaving?: () => () => void }

/** Puts a conversation away until a moment, until the customer writes, or until somebody takes it up: one press each. */
export const PauseDialog = ({ ticket, onClose, onLeaving }: Props) => {
  const { timezone } = useCurrentSession().user.tenant
  const [presets] = useState(() => [
    ...presetsAt(nowMs(), timezone),
    { key: 'none' as const, label: 'Sem data', wall: null },
  ])
  const [last] = useState(() => lastChoice('pause'))
  const firstKey = presets.some(({ key }) => key === last) ? last : presets[0]?.key
  const [isOther, setOther] = useState(false)
  const [other, setOtherTime] = useState(() => wallTimeOf(new Date(nowMs() + 24 * 3_600_000), timezone))
  const [wakesOnReply, setWakesOnReply] = useState(true)
  const [reason, setReason] = useState(ticket.pauseReason ?? '')
  const { busy, run, problemOf } = useTicketCall()

  const pause = async (wall: string | null) => {
    const until = wall ? momentAt(wall, timezone) : null
    const goOn = onLeaving?.()
    const isPaused = await run(() =>
      pauseTicket(ticket.id, { until, wakesOnReply, pauseReason: reason.trim() || undefined }),
    )
    if (!isPaused) return
    onClose()
    goOn?.()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isOther && other) void pause(other)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={<Text fw={600}>Pausar atendimento</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit} noValidate>
        <Stack gap="md">
          <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
            <Text component="legend" size="sm" fw={500} mb={6}>
              Pausar até
            </Text>
            <Group gap={8}>
              {presets.map(({ key, label, wall }) => (
                <Button
                  key={key}
                  variant={key === firstKey ? 'light' : 'default'}
                  data-autofocus={key === firstKey || undefined}
                  disabled={busy}
                  onClick={() => {
                    rememberChoice('pause', key)
                    void pause(wall)
                  }}
                >
                  {label}
                </Button>
              ))}
              <Button variant="default" aria-expanded={isOther} onClick={() => setOther(!isOther)}>
                Outra data
              </Button>
            </Group>
            {isOther && (
              <Group gap={8} mt="sm" align="flex-end" wrap="nowrap">
                <MomentField
                  flex={1}
                  aria-label="Data e hora do retorno"
                  maxDate="2999-12-31"
                  value={other}
                  onChange={setOtherTime}
                />
                <Button type="submit" loading={busy} disabled={!other}>
                  Pausar
                </Button>
              </Group>
            )}
            {problemOf('until') && (
              <Text size="sm" c="red" mt={6} role="alert">
                {problemOf('until')}
              </Text>
            )}
          </fieldset>
          <Checkbox
            label="Voltar antes se o cliente responder"
            description={wakesOnReply ? undefined : 'Sem data, o atendimento fica pausado até alguém retomar.'}
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
      </form>
    </Modal>
  )
}
