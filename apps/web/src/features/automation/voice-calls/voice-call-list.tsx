import { isCallOver, type VoiceCall, voiceCallStatusLabels } from '@balcao/contract/automation/voice-calls.ts'
import { Badge, Box, Group, Stack, Text } from '@mantine/core'
import { formatExact } from '../../../kit/format.ts'
import { UserText } from '../../../ui/user-text.tsx'
import classes from './voice-call-list.module.css'

/** The calls of a conversation, newest first. */
export const VoiceCallList = ({ calls }: { calls: readonly VoiceCall[] }) =>
  calls.length > 0 && (
    <Stack gap="xs" component="section" aria-label="Ligações deste atendimento" aria-live="polite">
      <Text fw={600} size="sm">
        Ligações deste atendimento
      </Text>
      {calls.map((call) => (
        <Call key={call.id} call={call} />
      ))}
    </Stack>
  )

const colors = { queued: 'gray', ringing: 'amber', talking: 'green', ended: 'gray', failed: 'red', uncertain: 'amber' }

const Call = ({ call }: { call: VoiceCall }) => {
  const { status, user, number, direction, endedReason, costUsd, problem, summary, transcript } = call
  const facts = [
    direction === 'inbound' ? 'Recebida' : user && `Pedida por ${user.name}`,
    spanOf(call),
    endedReason,
    costUsd?.toLocaleString('pt-BR', { style: 'currency', currency: 'USD' }),
  ].filter(Boolean)
  return (
    <Box className={classes.call}>
      <Group gap="xs" justify="space-between">
        <Text size="sm" fw={500} className="tabular">
          {number}
        </Text>
        <Badge color={colors[status]} variant="light">
          {voiceCallStatusLabels[status]}
        </Badge>
      </Group>
      <Text size="xs" c="dimmed">
        <time dateTime={call.createdAt}>{formatExact(call.createdAt)}</time>
        {facts.length > 0 && ` · ${facts.join(' · ')}`}
      </Text>
      {problem && isCallOver(status) && (
        <Text size="sm" c="var(--mantine-color-error)" mt={4}>
          {problem.charAt(0).toUpperCase() + problem.slice(1)}
        </Text>
      )}
      {summary && (
        <Text size="sm" mt={4}>
          {summary}
        </Text>
      )}
      {transcript && (
        <details className={classes.transcript}>
          <summary>Transcrição</summary>
          <UserText text={transcript} className={classes.words} />
        </details>
      )}
    </Box>
  )
}
const spanOf = ({ startedAt, endedAt }: VoiceCall) => {
  const seconds = startedAt && endedAt ? Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1_000) : 0
  if (seconds <= 0) return null
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
