import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { mostForwarded } from '@balcao/contract/conversations/forward-limit.ts'
import type { ForwardTarget } from '@balcao/contract/conversations/message-calls.ts'
import { Button, CloseButton, Group, Loader, Modal, Select, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { v7 } from 'uuid'
import { messageOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { notify } from '../../../ui/notify.ts'
import { connectionList } from '../../channels/connections/api.ts'
import { ContactPicker } from '../../contacts/contacts/contact-picker.tsx'
import { linkToTicket } from '../tickets/address.ts'
import { forwardMessages } from './forward.ts'
import classes from './forward-dialog.module.css'

type Props = { messageIds: readonly string[]; onClose: (isDone: boolean) => void }

/** To whom, by which channel; what each target would refuse is told before anything leaves. */
export const ForwardDialog = ({ messageIds, onClose }: Props) => {
  const [requestId] = useState(() => v7())
  const [chosen, setChosen] = useState<Contact[]>([])
  const [channelId, setChannelId] = useState<string | null>(null)
  const connections = useQuery(connectionList)
  const body = { requestId, messages: [...messageIds], contact: chosen.map(({ id }) => id), channelId }
  const check = useQuery({
    queryKey: ['messages', 'forward', body],
    queryFn: () => forwardMessages({ ...body, dryRun: true }),
    enabled: chosen.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
  const forward = useMutation({
    mutationFn: () => forwardMessages(body),
    onError: (error) => notify.error(messageOf(error)),
  })
  const planned = new Map((check.data ?? []).map((target) => [target.contact.id, target]))
  const ready = chosen.filter(({ id }) => (planned.get(id)?.count ?? 0) > 0).length
  const count = messageIds.length
  const title = count === 1 ? 'Encaminhar mensagem' : `Encaminhar ${count} mensagens`

  if (forward.data) return <Outcome targets={forward.data} onClose={() => onClose(true)} />
  return (
    <Modal
      opened
      onClose={() => onClose(false)}
      size={520}
      title={<Text fw={600}>{title}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <ContactPicker
        height={280}
        onPick={(contact) => {
          if (chosen.some(({ id }) => id === contact.id)) return
          if (chosen.length >= mostForwarded) return notify.info(`Escolha no máximo ${mostForwarded} contatos.`)
          setChosen([...chosen, contact])
        }}
      />
      <Select
        mt="sm"
        label="Canal"
        data={[
          { value: '', label: 'Onde falamos por último com cada um' },
          ...(connections.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={channelId ?? ''}
        onChange={(value) => setChannelId(value || null)}
        allowDeselect={false}
      />
      {chosen.length > 0 && (
        <ul className={classes.targets} aria-label="Destinatários">
          {chosen.map((contact) => (
            <li key={contact.id} className={classes.target}>
              <span className={classes.words}>
                <span className="truncate">{contact.name}</span>
                <TargetText target={planned.get(contact.id)} isChecking={check.isFetching} />
              </span>
              <CloseButton
                aria-label={`Tirar ${contact.name}`}
                onClick={() => setChosen(chosen.filter(({ id }) => id !== contact.id))}
              />
            </li>
          ))}
        </ul>
      )}
      {check.isError && (
        <Text size="sm" c="red" mt="xs" role="alert">
          {messageOf(check.error)}
        </Text>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={() => onClose(false)}>
          Cancelar
        </Button>
        <Button
          disabled={ready === 0 || check.isPlaceholderData}
          loading={forward.isPending}
          onClick={() => forward.mutate()}
        >
          {ready > 1 ? `Encaminhar para ${ready} contatos` : 'Encaminhar'}
        </Button>
      </Group>
    </Modal>
  )
}

const TargetText = ({ target, isChecking }: { target: ForwardTarget | undefined; isChecking: boolean }) => {
  if (!target) return <span className={classes.meta}>{isChecking ? <Loader size={12} /> : ''}</span>
  return (
    <span className={classes.meta} data-problem={target.problem !== null}>
      {target.problem ?? target.channel?.name}
    </span>
  )
}

const Outcome = ({ targets, onClose }: { targets: readonly ForwardTarget[]; onClose: () => void }) => {
  const navigate = useNavigate()
  return (
    <Modal
      opened
      onClose={onClose}
      size={520}
      title={<Text fw={600}>Encaminhamento</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <ul className={classes.targets} aria-label="Resultado por contato">
        {targets.map(({ contact, count, problem, ticketId }) => (
          <li key={contact.id} className={classes.target}>
            {count > 0 ? (
              <IconCheck size={18} className={classes.done} aria-hidden />
            ) : (
              <IconAlertTriangle size={18} className={classes.failed} aria-hidden />
            )}
            <span className={classes.words}>
              <span className="truncate" title={contact.name}>
                {contact.name}
              </span>
              <span className={classes.meta} data-problem={problem !== null}>
                {[count > 0 && `${plural(count, 'mensagem', 'mensagens')} na fila de envio`, problem]
                  .filter(Boolean)
                  .join('. ')}
              </span>
            </span>
            {ticketId && (
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={`Abrir a conversa com ${contact.name}`}
                onClick={() => {
                  onClose()
                  void navigate(linkToTicket(ticketId))
                }}
              >
                Abrir
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Group justify="flex-end" mt="lg">
        <Button data-autofocus onClick={onClose}>
          Concluir
        </Button>
      </Group>
    </Modal>
  )
}
