import { voiceCallDirectionLabels, type WholeVoiceCall } from '@balcao/contract/automation/voice-calls.ts'
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { wholeCallQuery } from '../../../features/automation/voice-calls/api.ts'
import { CallState, capital, dollars, spanOf } from '../../../features/automation/voice-calls/call-words.tsx'
import { PhoneText } from '../../../features/contacts/contacts/phone-text.tsx'
import { AudioPlayer } from '../../../features/core/media/audio-player.tsx'
import { formatExact } from '../../../kit/format.ts'
import { RecordDrawer } from '../../../kit/record-drawer.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { FactList } from '../../../ui/fact-list.tsx'

/** One call whole: how it ended, what was recorded and said, and the conversation it belongs to. */
export const CallDrawer = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const query = useQuery(wholeCallQuery(id))
  return (
    <RecordDrawer query={query} title="Ligação" onClose={onClose}>
      {(call) => <Whole call={call} onStale={() => void query.refetch()} />}
    </RecordDrawer>
  )
}

const Whole = ({ call, onStale }: { call: WholeVoiceCall; onStale: () => void }) => {
  const { status, contact, name, number, direction, user, ticketId, protocol } = call
  const asked = user ? `, pedida por ${user.name}` : ''
  return (
    <>
      <div>
        <Text fw={500}>{contact?.name || name || number}</Text>
        <CallState status={status} />
      </div>
      {call.problem && (
        <Text size="sm" c="var(--mantine-color-error)">
          {capital(call.problem)}
        </Text>
      )}
      <FactList
        facts={[
          ['Número', <PhoneText key="phone" number={number.replace('+', '')} />],
          ['Sentido', voiceCallDirectionLabels[direction] + asked],
          ['Quando', formatExact(call.createdAt)],
          ['Duração', spanOf(call) ?? '—'],
          ['Como terminou', call.endedReason ? capital(call.endedReason) : '—'],
          ['Custo', dollars(call.costUsd) ?? '—'],
          ['Atendimento', ticketId ? <ToTicket key="ticket" id={ticketId} protocol={protocol} /> : 'Nenhum'],
        ]}
      />
      {call.recording && (
        <section aria-label="Gravação">
          <Text size="sm" fw={500} mb={4}>
            Gravação
          </Text>
          <AudioPlayer media={call.recording} onBroken={onStale} />
        </section>
      )}
      {call.summary && (
        <section aria-label="Resumo">
          <Text size="sm" fw={500} mb={4}>
            Resumo
          </Text>
          <Text size="sm">{call.summary}</Text>
        </section>
      )}
      {call.transcript && <CopyField multiline maxRows={24} label="Transcrição" value={call.transcript} />}
    </>
  )
}

const ToTicket = ({ id, protocol }: { id: string; protocol: string | null }) => (
  <Anchor component={Link} to={`/atendimento/${id}`} size="sm" underline="always">
    {protocol ?? 'Abrir a conversa'}
  </Anchor>
)
