import type { TicketStatus } from '@balcao/contract/conversations/tickets.ts'
import { ActionIcon, Button, Group, Modal, Skeleton, Text, Tooltip } from '@mantine/core'
import { IconLink, IconLinkOff, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime, relativeTime } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { CopyField } from '../../../ui/copy-field.tsx'
import { notify } from '../../../ui/notify.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { protocolLinks, useProtocol } from './api.ts'
import classes from './protocol-dialog.module.css'

type Props = {
  ticketId: string
  protocol: string
  status: TicketStatus
  /** The channel takes no free text now. */
  isWindowOver?: boolean
  onClose: () => void
}

/** The number of a conversation: sent to the customer, or handed over as an address that can be taken back. */
export const ProtocolDialog = ({ ticketId, protocol, status, isWindowOver, onClose }: Props) => {
  const links = useQuery(protocolLinks(ticketId))
  const { send, create, revoke } = useProtocol(ticketId)
  const maySend = useCan('messages.write')
  const mayWork = useCan('tickets.write')
  const [url, setUrl] = useState<string | null>(null)
  const reason =
    status === 'closed'
      ? 'O atendimento está encerrado. Crie um link e envie por outro meio.'
      : status === 'pending'
        ? 'Aceite o atendimento para enviar.'
        : isWindowOver
          ? 'A janela de 24 horas do WhatsApp terminou: nada pode ser enviado.'
          : null

  const handleSend = async () => {
    try {
      await send.mutateAsync()
      notify.success('Protocolo enviado ao cliente.')
      onClose()
    } catch (error) {
      notify.error(messageOf(error))
    }
  }
  const handleCreate = async () => {
    try {
      setUrl((await create.mutateAsync()).url)
    } catch (error) {
      notify.error(messageOf(error))
    }
  }
  const handleRevoke = async (id: string) => {
    try {
      await revoke.mutateAsync(id)
      setUrl(null)
      notify.success('Link revogado: ele não abre mais.')
    } catch (error) {
      notify.error(messageOf(error))
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Protocolo</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <CopyField label="Número" value={protocol} />
      {maySend && (
        <div className={classes.part}>
          <Button
            fullWidth
            leftSection={<IconSend size={18} aria-hidden />}
            disabled={reason !== null}
            loading={send.isPending}
            onClick={() => void handleSend()}
          >
            Enviar ao cliente
          </Button>
          <p className={classes.hint}>
            {reason ?? 'O cliente recebe o número e o link para acompanhar e baixar a conversa.'}
          </p>
        </div>
      )}
      <section className={classes.part} aria-label="Links públicos">
        <Group justify="space-between" gap="xs">
          <h3 className={classes.title}>Links públicos</h3>
          {mayWork && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconLink size={16} aria-hidden />}
              loading={create.isPending}
              onClick={() => void handleCreate()}
            >
              Criar link
            </Button>
          )}
        </Group>
        {url && (
          <div className={classes.fresh}>
            <CopyField
              label="Link novo"
              description="Copie agora: por segurança, ele não aparece de novo."
              value={url}
            />
          </div>
        )}
        {links.isPending ? (
          <Skeleton height={44} />
        ) : links.isError ? (
          <p className={classes.hint} role="alert">
            {messageOf(links.error)}
          </p>
        ) : links.data.length === 0 ? (
          <p className={classes.hint}>Nenhum link criado. Quem tem um link vê a situação e baixa a conversa.</p>
        ) : (
          <ul className={classes.links}>
            {links.data.map((link) => (
              <li key={link.id} className={classes.link}>
                <div className={classes.words}>
                  <span className="truncate">
                    Criado {relativeTime(link.createdAt)}
                    {link.user && ` por ${link.user.name}`}
                  </span>
                  <StatusDot
                    tone={link.isActive ? 'good' : 'quiet'}
                    label={
                      link.isActive
                        ? `Vale até ${formatDateTime(link.expiresAt)}`
                        : `Expirou em ${formatDateTime(link.expiresAt)}`
                    }
                  />
                </div>
                {mayWork && link.isActive && (
                  <Tooltip label="Revogar">
                    <ActionIcon
                      aria-label={`Revogar o link criado ${relativeTime(link.createdAt)}`}
                      loading={revoke.isPending && revoke.variables === link.id}
                      onClick={() => void handleRevoke(link.id)}
                    >
                      <IconLinkOff size={18} stroke={1.75} />
                    </ActionIcon>
                  </Tooltip>
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
    </Modal>
  )
}
