import { numberedText, type RequestKind, requestProblems } from '@balcao/contract/conversations/interactive.ts'
import type { Interactive, MessageSend } from '@balcao/contract/conversations/messages.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Alert, Button, Group, Modal, Text, Textarea } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconInfoCircle, IconSend2 } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { UserText } from '../../../ui/user-text.tsx'
import { readDraft, writeDraft } from '../../conversations/messages/drafts.ts'
import { InteractiveView } from '../../conversations/messages/interactive-view.tsx'
import { useChannel } from '../../conversations/messages/use-channel.ts'
import { blankRequest, RequestFields, tidyRequest } from '../../conversations/requests/request-fields.tsx'
import { focusAtEnd } from './focus-at-end.ts'
import classes from './interactive-dialog.module.css'

type Props = { ticket: Ticket; onClose: () => void; onSend: (message: Partial<MessageSend>) => void }

/** Everywhere, in words where the channel has no more; and only where it has. */
const saidKinds: readonly RequestKind[] = ['place', 'link']
const allKinds: readonly RequestKind[] = [...saidKinds, 'form', 'catalog', 'products']

/** Words with one thing for the customer to do: written here, seen as it will look, sent. */
export const RequestDialog = ({ ticket, onClose, onSend }: Props) => {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const channel = useChannel(ticket)
  const canAll = channel?.supports.includes('requests') ?? false
  const place = { ticketId: ticket.id, kind: 'message' } as const
  const [draft] = useState(() => readDraft(place).body)
  const [written, setWritten] = useState(() => blankRequest('place'))
  const [body, setBody] = useState(draft)
  const [isTried, setTried] = useState(false)

  const interactive = tidyRequest(written)
  const words = body.trim()
  const problems = problemsOf(interactive, words)
  const errorOf = (path: string) => isTried && problems.get(path)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (problems.size) return
    if (draft && readDraft(place).body === draft) writeDraft(place, '')
    onSend({ type: 'buttons', body: words, interactive })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      size={820}
      fullScreen={isPhone}
      title={<Text fw={600}>Pedido, link ou catálogo</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit} noValidate>
        <div className={classes.panes}>
          <RequestFields
            value={written}
            onChange={setWritten}
            connectionId={ticket.whatsappId}
            kinds={canAll ? allKinds : saidKinds}
            errorOf={(path) => errorOf(`interactive.${path}`)}
          >
            <Textarea
              ref={focusAtEnd}
              data-autofocus
              label="Mensagem"
              autosize
              minRows={2}
              maxRows={6}
              maxLength={1_024}
              value={body}
              error={errorOf('body')}
              onChange={(event) => setBody(event.currentTarget.value)}
            />
          </RequestFields>
          <section className={classes.preview} aria-label="Prévia">
            <div className={classes.bubble}>
              {canAll ? (
                <InteractiveView interactive={interactive} body={words || 'Sua mensagem aparece aqui.'} />
              ) : (
                <UserText text={numberedText(interactive, words)} />
              )}
            </div>
            {channel && (
              <Alert color="gray" variant="light" icon={<IconInfoCircle size={17} aria-hidden />} p="xs">
                {canAll ? answers[interactive.kind] : `${channel.label} não tem este botão: vai como texto.`}
              </Alert>
            )}
          </section>
        </div>
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" rightSection={<IconSend2 size={17} stroke={1.75} aria-hidden />}>
            Enviar
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

const problemsOf = (interactive: Interactive, body: string) => {
  const problems = new Map<string, string>()
  if (!body) problems.set('body', 'Escreva a mensagem.')
  const asked = allKinds.find((kind) => kind === interactive.kind)
  if (asked)
    for (const { path, message } of requestProblems({ ...interactive, kind: asked }, body)) problems.set(path, message)
  return problems
}

const answers: Partial<Record<Interactive['kind'], string>> = {
  place: 'O cliente toca no botão e a localização dele chega aqui.',
  link: 'O link abre no navegador do cliente. Não ficamos sabendo se ele abriu.',
  form: 'O formulário abre dentro do WhatsApp, e as respostas chegam aqui.',
  catalog: 'O cliente vê o catálogo, monta o carrinho e o pedido chega aqui.',
  products: 'O cliente escolhe entre estes produtos e o pedido chega aqui.',
}
