import type { VoiceAccount } from '@balcao/contract/automation/voice-calls.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Alert, Anchor, Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { IconPhoneOutgoing } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { messageOf } from '../../../kit/api-error.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { placeCall, voiceAccountsQuery, voiceCallsQuery, voiceChoicesQuery } from './api.ts'
import { VoiceCallList } from './voice-call-list.tsx'

type Props = { ticket: Ticket; onClose: () => void }
/** A voice assistant calls the contact; below, the calls of this conversation as they stand. */
export const VoiceCallDialog = ({ ticket, onClose }: Props) => {
  const accounts = useQuery(voiceAccountsQuery)
  const calls = useQuery(voiceCallsQuery(ticket.id))
  const able = (accounts.data ?? []).filter(({ canCall }) => canCall)
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={<Text fw={600}>Ligar com assistente de voz</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <Stack gap="lg">
        {accounts.isPending ? (
          <SkeletonList rows={1} height={96} />
        ) : accounts.isError ? (
          <ErrorState message={messageOf(accounts.error)} onRetry={() => void accounts.refetch()} />
        ) : able.length === 0 ? (
          <NoAccount />
        ) : (
          <CallForm ticket={ticket} accounts={able} />
        )}
        {calls.isError ? (
          <ErrorState message={messageOf(calls.error)} onRetry={() => void calls.refetch()} />
        ) : (
          <VoiceCallList calls={calls.data ?? []} />
        )}
      </Stack>
    </Modal>
  )
}

const NoAccount = () => {
  const maySet = useCan('integrations.write')
  return (
    <Text size="sm" c="dimmed">
      Nenhuma conta da Vapi tem um número que liga.{' '}
      {maySet ? (
        <Anchor component={Link} to="/configuracoes/vapi" size="sm">
          Configurar a Vapi
        </Anchor>
      ) : (
        'Peça a quem cuida das integrações.'
      )}
    </Text>
  )
}

const CallForm = ({ ticket, accounts }: { ticket: Ticket; accounts: VoiceAccount[] }) => {
  const { tenantId } = useCurrentSession().user
  const cache = useQueryClient()
  const [accountId, setAccountId] = useState(accounts[0]?.id ?? '')
  const [assistantId, setAssistantId] = useState<string | null>(null)
  const [phoneNumberId, setPhoneNumberId] = useState<string | null>(null)
  /** Made with the form: pressed twice, it is one call. */
  const [callId, setCallId] = useState(() => crypto.randomUUID())
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const choices = useQuery(voiceChoicesQuery(tenantId, accountId))

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(null)
    try {
      await placeCall(ticket.id, {
        ...{ id: callId, integrationId: accountId },
        ...(assistantId && { assistantId }),
        ...(phoneNumberId && { phoneNumberId }),
      })
      setCallId(crypto.randomUUID())
      void cache.invalidateQueries({ queryKey: voiceCallsQuery(ticket.id).queryKey })
    } catch (error) {
      setProblem(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <form onSubmit={handleSubmit}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          O assistente liga para {ticket.name}. O resultado, com gravação e transcrição, entra na conversa como nota.
        </Text>
        {accounts.length > 1 && (
          <Select
            label="Conta"
            allowDeselect={false}
            data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
            value={accountId}
            onChange={(next) => {
              setAccountId(next ?? accountId)
              setAssistantId(null)
              setPhoneNumberId(null)
            }}
          />
        )}
        <Select
          label="Assistente"
          placeholder="O da conta"
          clearable
          disabled={!choices.data}
          data={(choices.data?.assistants ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={assistantId}
          onChange={setAssistantId}
          clearButtonProps={{ 'aria-label': 'Usar o assistente da conta' }}
        />
        <Select
          label="Número que liga"
          placeholder="O da conta"
          clearable
          disabled={!choices.data}
          data={(choices.data?.numbers ?? []).map(({ id, name, number }) => ({
            value: id,
            label: number && number !== name ? `${name} (${number})` : name,
          }))}
          value={phoneNumberId}
          onChange={setPhoneNumberId}
          clearButtonProps={{ 'aria-label': 'Usar o número da conta' }}
        />
        {(problem ?? choices.error) && (
          <Alert color="red" role="alert">
            {problem ?? messageOf(choices.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={busy}
            data-autofocus
            leftSection={<IconPhoneOutgoing size={18} stroke={1.75} aria-hidden />}
          >
            Ligar
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
