import { carriedAs, choiceProblem, numberedText } from '@balcao/contract/conversations/interactive.ts'
import type { Interactive } from '@balcao/contract/conversations/messages.ts'
import { optionId } from '@balcao/contract/conversations/parts.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Alert, Button, Group, Modal, Text, Textarea } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconInfoCircle, IconSend2 } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { UserText } from '../../../ui/user-text.tsx'
import type { Channel } from '../../conversations/messages/abilities.ts'
import { readDraft, writeDraft } from '../../conversations/messages/drafts.ts'
import { InteractiveView } from '../../conversations/messages/interactive-view.tsx'
import { sendMessage } from '../../conversations/messages/outbox.ts'
import { useChannel } from '../../conversations/messages/use-channel.ts'
import { ChoicesField } from '../../conversations/parts/choices-field.tsx'
import { focusAtEnd } from './focus-at-end.ts'
import classes from './interactive-dialog.module.css'

type Props = {
  ticket: Ticket
  /** The newest message on the screen: what the person has seen. */
  lastSeq: number
  sign: boolean
  onClose: () => void
}

/** A question with choices: written here, seen as the channel will carry it, sent. */
export const InteractiveDialog = ({ ticket, lastSeq, sign, onClose }: Props) => {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const channel = useChannel(ticket)
  const place = { ticketId: ticket.id, kind: 'message' } as const
  const [draft] = useState(() => readDraft(place).body)
  const [written, setWritten] = useState<Interactive>(blank)
  const [body, setBody] = useState(draft)
  const [isTried, setTried] = useState(false)

  const { kind } = written
  const interactive: Interactive = {
    kind,
    header: written.header.trim(),
    footer: written.footer.trim(),
    button: kind === 'list' ? written.button.trim() : '',
    options: written.options
      .filter((one) => one.title.trim())
      .map((one, at) => ({
        id: optionId(at),
        title: one.title.trim(),
        description: kind === 'list' ? one.description.trim() : '',
      })),
  }
  const words = body.trim()
  const problems = problemsOf(words, interactive)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (problems.body || problems.options) return
    sendMessage({
      ticketId: ticket.id,
      contactId: ticket.contactId,
      payload: { interactive },
      send: {
        type: 'buttons',
        body: words,
        mediaId: null,
        quotedId: null,
        location: null,
        contact: null,
        template: null,
        interactive,
        mentions: [],
        sign,
        seenSeq: lastSeq,
      },
    })
    if (draft && readDraft(place).body === draft) writeDraft(place, '')
    onClose()
  }

  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      size={820}
      fullScreen={isPhone}
      title={<Text fw={600}>Mensagem com opções</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit} noValidate>
        <div className={classes.panes}>
          <ChoicesField value={written} onChange={setWritten} error={isTried && problems.options}>
            <Textarea
              ref={focusAtEnd}
              data-autofocus
              label="Mensagem"
              autosize
              minRows={2}
              maxRows={6}
              maxLength={1_024}
              value={body}
              error={isTried && problems.body}
              onChange={(event) => setBody(event.currentTarget.value)}
            />
          </ChoicesField>
          <Preview channel={channel} interactive={interactive} body={words} />
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

const blank = (): Interactive => ({
  kind: 'buttons',
  header: '',
  footer: '',
  button: '',
  options: [0, 1].map((at) => ({ id: optionId(at), title: '', description: '' })),
})

const problemsOf = (body: string, interactive: Interactive) => ({
  body: body ? undefined : 'Escreva a mensagem.',
  options: choiceProblem(interactive),
})

type PreviewProps = { channel: Channel | undefined; interactive: Interactive; body: string }
/** What the customer will see, and why it is not what was asked for. */
const Preview = ({ channel, interactive, body }: PreviewProps) => {
  const isEmpty = !interactive.options.length
  const way = channel && !isEmpty ? carriedAs(channel, interactive, body) : interactive.kind
  return (
    <section className={classes.preview} aria-label="Prévia">
      <div className={classes.bubble}>
        {way === 'text' ? (
          <UserText text={numberedText(interactive, body)} />
        ) : (
          <InteractiveView interactive={{ ...interactive, kind: way }} body={body || 'Sua mensagem aparece aqui.'} />
        )}
      </div>
      {channel && (
        <Alert color="gray" variant="light" icon={<IconInfoCircle size={17} aria-hidden />} p="xs">
          {wayText(channel, interactive, way)}
        </Alert>
      )}
    </section>
  )
}

const wayText = (
  { label, buttonLimits }: Channel,
  { kind, options }: Interactive,
  way: Interactive['kind'] | 'text',
) => {
  if (way === 'text') return `${label} não tem botões: as opções vão numeradas no texto.`
  if (way === kind)
    return way === 'buttons'
      ? `No ${label}, o cliente responde com um toque.`
      : `No ${label}, o cliente abre a lista e escolhe.`
  if (way === 'buttons') return `${label} não tem listas: as opções vão como botões.`
  if (buttonLimits && options.length > buttonLimits.most)
    return `${label} aceita até ${buttonLimits.most} botões: com ${options.length} opções, vai como lista.`
  return `Os botões do ${label} têm até ${buttonLimits?.title} letras: vai como lista.`
}
