import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { v7 } from 'uuid'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { MoneyInput } from '../../../ui/money-input.tsx'
import { notify } from '../../../ui/notify.ts'
import { SearchSelect } from '../../../ui/search-select.tsx'
import { useCopilotState } from '../../automation/copilot/api.ts'
import { ClosingProposal } from '../../automation/copilot/closing-proposal.tsx'
import { useLaneName } from '../../contacts/variables/contact-context.ts'
import { VariablePreview } from '../../contacts/variables/variable-preview.tsx'
import { lastChoice, rememberChoice } from './last-choice.ts'
import type { Choices } from './use-closing.ts'
import type { TicketActions } from './use-ticket-actions.ts'

type Props = {
  ticket: Ticket
  contact: Contact | undefined
  choices: Choices
  actions: TicketActions
  /** The channel's window for free text is over. */
  isWindowOver: boolean
  onClose: () => void
}
/** What the team finds in the conversation later. */
const keepNote = async (ticketId: string, body: string): Promise<boolean> => {
  try {
    await api.post(`/messages/${ticketId}`, { id: v7(), type: 'note', body })
    return true
  } catch (error) {
    notify.error(messageOf(error))
    return false
  }
}
const known = (among: readonly { id: string }[], id: string | null) => among.find((one) => one.id === id)?.id ?? null
type Errors = { reasonId?: string; farewellId?: string; value?: string }
/** Choices that are no message of the library: what the connection says by itself, and nothing. */
const [own, none] = ['own', 'none']

/** Why the conversation ends, and the last word the customer gets. */
export const CloseDialog = ({ ticket, contact, choices, actions, isWindowOver, onClose }: Props) => {
  const { reasons, farewells, ownFarewell, isAsking } = choices
  const session = useCurrentSession()
  const kanban = useLaneName(contact?.kanban)
  const canForce = useCan('tickets.force')
  const [reasonId, setReasonId] = useState(() => known(reasons, lastChoice('reason')))
  const hasOwn = ownFarewell !== '' && !isWindowOver
  const [farewellId, setFarewellId] = useState<string>(() => {
    const last = lastChoice('farewell')
    if (isWindowOver || last === none) return none
    return known(farewells, last) ?? (hasOwn ? own : none)
  })
  const [value, setValue] = useState<number | string>(ticket.value === null ? '' : ticket.value / 100)
  const cents = value === '' ? null : Math.round(Number(value) * 100)
  const copilot = useCopilotState()
  const [summary, setSummary] = useState<string | null>(null)
  const [errors, setErrors] = useState<Errors>({})
  const isRequired = reasons.length > 0 && session.configuracoes.forceReason === true
  const farewell = farewells.find((one) => one.id === farewellId)
  const said = farewellId === own ? ownFarewell : farewell?.message

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (isRequired && !reasonId) return setErrors({ reasonId: 'Escolha o motivo do encerramento.' })
    setErrors({})
    if (summary?.trim() && !(await keepNote(ticket.id, summary.trim()))) return
    setSummary(null) // said once, also where closing fails
    const isClosed = await actions.close(
      {
        reasonId,
        ...(farewellId !== own && { farewellId: farewell?.id ?? null }),
        ...(cents !== ticket.value && { value: cents }),
      },
      (problems) => setErrors(Object.fromEntries(problems.map(({ path, message }) => [path, message]))),
    )
    if (!isClosed) return
    rememberChoice('reason', reasonId)
    rememberChoice('farewell', farewellId)
    onClose()
  }
  const handleForce = async () => {
    if (await actions.forceClose()) onClose()
  }

  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={<Text fw={600}>Encerrar atendimento</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit} noValidate>
        <Stack gap="sm">
          {reasons.length > 0 && (
            <SearchSelect
              label="Motivo"
              placeholder={isRequired ? 'Escolha o motivo' : 'Sem motivo'}
              nothingFoundMessage="Nenhum motivo com este nome."
              data-autofocus
              clearable
              required={isRequired}
              data={reasons.map(({ id, name }) => ({ value: id, label: name }))}
              renderOption={({ option }) => {
                const color = reasons.find((reason) => reason.id === option.value)?.color
                return color ? <ColorDot color={color} label={option.label} /> : option.label
              }}
              value={reasonId}
              onChange={(id) => {
                setReasonId(id)
                setErrors(({ reasonId: _chosen, ...rest }) => rest)
              }}
              error={errors.reasonId}
            />
          )}
          {(farewells.length > 0 || hasOwn) && (
            <SearchSelect
              label="Mensagem de fechamento"
              description={
                isWindowOver ? 'A janela de 24 horas do WhatsApp terminou: nada pode ser enviado.' : undefined
              }
              nothingFoundMessage="Nenhuma mensagem com este nome."
              data-autofocus={reasons.length === 0 || undefined}
              allowDeselect={false}
              disabled={isWindowOver}
              data={[
                ...(hasOwn ? [{ value: own, label: 'Despedida do canal' }] : []),
                { value: none, label: 'Não enviar mensagem' },
                ...farewells.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              value={farewellId}
              onChange={(id) => {
                setFarewellId(id ?? none)
                setErrors(({ farewellId: _chosen, ...rest }) => rest)
              }}
              error={errors.farewellId}
            />
          )}
          {said && (
            <VariablePreview
              text={said}
              label="O cliente recebe"
              values={{
                name: contact?.name ?? ticket.name,
                email: contact?.email,
                phoneNumber: contact?.number ?? ticket.contact.number,
                businessName: contact?.businessName,
                kanban,
                extra: contact?.extraInfo,
                protocol: ticket.protocol,
                user: session.username,
                userEmail: session.user.email,
                timeZone: session.user.tenant.timezone,
              }}
            />
          )}
          <MoneyInput
            label="Valor negociado"
            description="Quanto este atendimento rendeu. Opcional."
            placeholder="R$ 0,00"
            max={999_999_999.99}
            value={value}
            onChange={setValue}
            error={errors.value}
          />
          {copilot.isOn && (
            <ClosingProposal
              ticketId={ticket.id}
              summary={summary}
              onSummary={setSummary}
              onProposed={(proposed) => {
                if (proposed.reasonId && known(reasons, proposed.reasonId)) setReasonId(proposed.reasonId)
                if (proposed.valueCents !== null && value === '') setValue(proposed.valueCents / 100)
                setErrors({})
              }}
            />
          )}
          {isAsking && (
            <Text size="sm" c="dimmed">
              Depois de encerrar, o cliente recebe o pedido de avaliação.
            </Text>
          )}
        </Stack>
        <Group justify="space-between" wrap="wrap-reverse" gap="sm" mt="lg">
          {isRequired && canForce && (farewellId === none || farewellId === own) && (
            <Button variant="subtle" color="gray" px={0} disabled={actions.busy !== null} onClick={handleForce}>
              Encerrar sem motivo
            </Button>
          )}
          <Group gap="xs" wrap="nowrap" ml="auto">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit" loading={actions.busy === 'close'}>
              {said ? 'Enviar e encerrar' : 'Encerrar'}
            </Button>
          </Group>
        </Group>
      </form>
    </Modal>
  )
}
