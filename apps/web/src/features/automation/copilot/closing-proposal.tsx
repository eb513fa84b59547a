import type { ClosingProposed } from '@balcao/contract/automation/copilot.ts'
import { Button, Text, Textarea } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../../kit/api-error.ts'
import { proposeClosing } from './api.ts'

type Props = {
  ticketId: string
  /** Null: none was asked for. */
  summary: string | null
  onSummary: (summary: string | null) => void
  onProposed: (proposed: ClosingProposed) => void
}

/** Fills in what a closing asks, and proposes a summary for the team; whoever closes confirms both. */
export const ClosingProposal = ({ ticketId, summary, onSummary, onProposed }: Props) => {
  const proposing = useMutation({
    mutationFn: () => proposeClosing(ticketId),
    onSuccess: (proposed) => {
      onProposed(proposed)
      onSummary(proposed.summary)
    },
  })
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconSparkles size={16} aria-hidden />}
        loading={proposing.isPending}
        onClick={() => proposing.mutate()}
        style={{ alignSelf: 'flex-start' }}
      >
        Preencher com o copiloto
      </Button>
      {proposing.error && (
        <Text size="sm" role="alert" c="var(--mantine-color-error)">
          {messageOf(proposing.error)}
        </Text>
      )}
      {proposing.data?.reasonId === null && (
        <Text size="sm" role="status" c="dimmed">
          Nenhum motivo descreve bem esta conversa: escolha você.
        </Text>
      )}
      {summary !== null && (
        <Textarea
          label="Resumo"
          description="Fica como nota interna da conversa. Vazio: nenhuma nota."
          autosize
          minRows={2}
          maxRows={6}
          maxLength={2_000}
          value={summary}
          onChange={(event) => onSummary(event.currentTarget.value)}
        />
      )}
    </>
  )
}
