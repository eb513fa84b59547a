import { isCallOver, type VoiceCall } from '@balcao/contract/automation/voice-calls.ts'
import { Box, Group, Stack, Text } from '@mantine/core'
import { formatExact } from '../../../kit/format.ts'
import { UserText } from '../../../ui/user-text.tsx'
import { CallState, dollars, spanOf } from './call-words.tsx'
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

const Call = ({ call }: { call: VoiceCall }) => {
  const { status, user, number, direction, endedReason, costUsd, problem, summary, transcript } = call
  const facts = [
    direction === 'inbound' ? 'Recebida' : user && `Pedida por ${user.name}`,
    spanOf(call),
    endedReason,
    dollars(costUsd),
  ].filter(Boolean)
  return (
    <Box className={classes.call}>
      <Group gap="xs" justify="space-between">
        <Text size="sm" fw={500} className="tabular">
          {number}
        </Text>
        <CallState status={status} />
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
