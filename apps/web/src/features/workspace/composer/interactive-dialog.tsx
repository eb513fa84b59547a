import { carriedAs, numberedText } from '@balcao/contract/conversations/interactive.ts'
import type { Interactive } from '@balcao/contract/conversations/messages.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import {
  ActionIcon,
  Alert,
  Button,
  Collapse,
  Group,
  Input,
  Modal,
  SegmentedControl,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconInfoCircle, IconPlus, IconSend2, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useRef, useState } from 'react'
import { UserText } from '../../../ui/user-text.tsx'
import type { Channel } from '../../conversations/messages/abilities.ts'
import { readDraft, writeDraft } from '../../conversations/messages/drafts.ts'
import { InteractiveView } from '../../conversations/messages/interactive-view.tsx'
import { sendMessage } from '../../conversations/messages/outbox.ts'
import { useChannel } from '../../conversations/messages/use-channel.ts'
import classes from './interactive-dialog.module.css'

const mostOptions = 10
const longestTitle = 24

type Props = {
  ticket: Ticket
  /** The newest message on the screen: what the person has seen. */
  lastSeq: number
  sign: boolean
  onClose: () => void
}
type Option = { key: number; title: string; description: string }

/** A question with choices: written here, seen as the channel will carry it, sent. */
export const InteractiveDialog = ({ ticket, lastSeq, sign, onClose }: Props) => {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const channel = useChannel(ticket)
  const place = { ticketId: ticket.id, kind: 'message' } as const
  const [draft] = useState(() => readDraft(place).body)
  const [kind, setKind] = useState<Interactive['kind']>('buttons')
  const [body, setBody] = useState(draft)
  const [around, setAround] = useState({ header: '', footer: '', button: '' })
  const [options, setOptions] = useState<Option[]>(() => [blank(1), blank(2)])
  const [showsMore, setShowsMore] = useState(false)
  const [isTried, setTried] = useState(false)
  const nextKey = useRef(3)

  const filled = options.filter((one) => one.title.trim())
  const interactive: Interactive = {
    kind,
    header: around.header.trim(),
    footer: around.footer.trim(),
    button: kind === 'list' ? around.button.trim() : '',
    options: filled.map((one, at) => ({
      id: `opcao-${at + 1}`,
      title: one.title.trim(),
      description: kind === 'list' ? one.description.trim() : '',
    })),
  }
  const words = body.trim()
  const problems = problemsOf(words, interactive)
  const change = (key: number, next: Partial<Option>) =>
    setOptions((now) => now.map((one) => (one.key === key ? { ...one, ...next } : one)))
  const handleAdd = () => {
    setOptions((now) => [...now, blank(nextKey.current)])
    nextKey.current += 1
  }
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
      size={820}
      fullScreen={isPhone}
      title={<Text fw={600}>Mensagem com opções</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit} noValidate>
        <div className={classes.panes}>
          <div className={classes.fields}>
            <SegmentedControl
              aria-label="Como mostrar as opções"
              value={kind}
              onChange={(value) => setKind(value === 'list' ? 'list' : 'buttons')}
              data={[
                { value: 'buttons', label: 'Botões' },
                { value: 'list', label: 'Lista' },
              ]}
            />
            <Textarea
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
            <Input.Wrapper label="Opções" labelElement="div" error={isTried && problems.options}>
              <div className={classes.options}>
                {options.map((one, at) => (
                  <div key={one.key} className={classes.option}>
                    <div className={classes.words}>
                      <TextInput
                        aria-label={`Opção ${at + 1}`}
                        placeholder={at === 0 ? 'Sim' : at === 1 ? 'Não' : `Opção ${at + 1}`}
                        maxLength={longestTitle}
                        value={one.title}
                        onChange={(event) => change(one.key, { title: event.currentTarget.value })}
                      />
                      {kind === 'list' && (
                        <TextInput
                          aria-label={`Descrição da opção ${at + 1}`}
                          placeholder="Descrição (opcional)"
                          size="xs"
                          maxLength={72}
                          value={one.description}
                          onChange={(event) => change(one.key, { description: event.currentTarget.value })}
                        />
                      )}
                    </div>
                    <ActionIcon
                      aria-label={`Remover a opção ${at + 1}`}
                      disabled={options.length === 1}
                      onClick={() => setOptions((now) => now.filter((other) => other.key !== one.key))}
                    >
                      <IconTrash size={17} stroke={1.75} />
                    </ActionIcon>
                  </div>
                ))}
              </div>
            </Input.Wrapper>
            <Group gap="xs">
              {options.length < mostOptions && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  leftSection={<IconPlus size={15} aria-hidden />}
                  onClick={handleAdd}
                >
                  Adicionar opção
                </Button>
              )}
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                aria-expanded={showsMore}
                onClick={() => setShowsMore(!showsMore)}
              >
                {showsMore ? 'Menos detalhes' : 'Título e rodapé'}
              </Button>
            </Group>
            <Collapse expanded={showsMore}>
              <div className={classes.fields}>
                {(['header', 'footer'] as const).map((name) => (
                  <TextInput
                    key={name}
                    label={name === 'header' ? 'Título' : 'Rodapé'}
                    description="Opcional."
                    maxLength={60}
                    value={around[name]}
                    onChange={(event) => setAround({ ...around, [name]: event.currentTarget.value })}
                  />
                ))}
                {kind === 'list' && (
                  <TextInput
                    label="Texto que abre a lista"
                    placeholder="Ver opções"
                    maxLength={20}
                    value={around.button}
                    onChange={(event) => setAround({ ...around, button: event.currentTarget.value })}
                  />
                )}
              </div>
            </Collapse>
          </div>
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

const blank = (key: number): Option => ({ key, title: '', description: '' })

const problemsOf = (body: string, { options }: Interactive) => {
  const titles = options.map((one) => one.title.toLowerCase())
  return {
    body: body ? undefined : 'Escreva a mensagem.',
    options: !titles.length
      ? 'Escreva pelo menos uma opção.'
      : new Set(titles).size < titles.length
        ? 'Escreva opções diferentes.'
        : undefined,
  }
}

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
  way: 'buttons' | 'list' | 'text',
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
