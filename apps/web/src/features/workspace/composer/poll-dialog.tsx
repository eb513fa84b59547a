import type { Interactive } from '@balcao/contract/conversations/messages.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { ActionIcon, Button, Group, Input, Modal, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus, IconSend2, IconTrash } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { readDraft, writeDraft } from '../../conversations/messages/drafts.ts'
import { sendMessage } from '../../conversations/messages/outbox.ts'
import { useChannel } from '../../conversations/messages/use-channel.ts'
import classes from '../../conversations/parts/choices-field.module.css'
import { focusAtEnd } from './focus-at-end.ts'

type Props = {
  ticket: Ticket
  /** The newest message on the screen: what the person has seen. */
  lastSeq: number
  onClose: () => void
}
type Option = { key: number; title: string }
const usual = { most: 12, title: 100, body: 255, several: true }

/** A question whose answers are votes, within what the channel takes. */
export const PollDialog = ({ ticket, lastSeq, onClose }: Props) => {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const limits = useChannel(ticket)?.pollLimits ?? usual
  const place = { ticketId: ticket.id, kind: 'message' } as const
  const [draft] = useState(() => readDraft(place).body)
  const [question, setQuestion] = useState(() => draft.slice(0, limits.body))
  const [options, setOptions] = useState<Option[]>([
    { key: 1, title: '' },
    { key: 2, title: '' },
  ])
  const [isMultiple, setMultiple] = useState(false)
  const [isTried, setTried] = useState(false)
  const nextKey = useRef(3)
  const list = useRef<HTMLDivElement>(null)

  const titles = options.flatMap(({ title }) => title.trim() || [])
  const problems = problemsOf(question.trim(), titles)
  const focusOption = (at: number) => list.current?.querySelectorAll('input')[at]?.focus()
  const handleAdd = () => {
    // It is there before the next letter is typed.
    flushSync(() => setOptions((now) => [...now, { key: nextKey.current, title: '' }]))
    nextKey.current += 1
    focusOption(options.length)
  }
  /** Enter goes on to the next option, and makes one after the last. */
  const handleKey = (event: KeyboardEvent, at: number) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (at < options.length - 1) focusOption(at + 1)
    else if (options[at]?.title.trim() && options.length < limits.most) handleAdd()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (problems.question || problems.options) return
    const interactive: Interactive = {
      kind: 'poll',
      header: '',
      footer: '',
      button: '',
      options: titles.map((title, at) => ({ id: String(at + 1), title, description: '' })),
      selectable: isMultiple ? 0 : 1,
    }
    sendMessage({
      ticketId: ticket.id,
      contactId: ticket.contactId,
      payload: { interactive },
      send: {
        type: 'poll',
        body: question.trim(),
        mediaId: null,
        quotedId: null,
        location: null,
        contact: null,
        template: null,
        interactive,
        mentions: [],
        sign: false,
        seenSeq: lastSeq,
      },
    })
    if (draft && draft.length <= limits.body && readDraft(place).body === draft) writeDraft(place, '')
    onClose()
  }

  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      size={480}
      fullScreen={isPhone}
      title={<Text fw={600}>Enquete</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit} noValidate>
        <div className={classes.fields}>
          <Textarea
            ref={focusAtEnd}
            data-autofocus
            label="Pergunta"
            autosize
            minRows={1}
            maxRows={5}
            maxLength={limits.body}
            value={question}
            error={isTried && problems.question}
            onChange={(event) => setQuestion(event.currentTarget.value)}
          />
          <Input.Wrapper label="Opções" labelElement="div" error={isTried && problems.options}>
            <div className={classes.options} ref={list}>
              {options.map((one, at) => (
                <div key={one.key} className={classes.option}>
                  <div className={classes.words}>
                    <TextInput
                      aria-label={`Opção ${at + 1}`}
                      placeholder={`Opção ${at + 1}`}
                      maxLength={limits.title}
                      value={one.title}
                      onChange={(event) => {
                        const title = event.currentTarget.value
                        setOptions((now) => now.map((other) => (other.key === one.key ? { ...other, title } : other)))
                      }}
                      onKeyDown={(event) => handleKey(event, at)}
                    />
                  </div>
                  <ActionIcon
                    aria-label={`Remover a opção ${at + 1}`}
                    disabled={options.length <= 2}
                    onClick={() => setOptions((now) => now.filter((other) => other.key !== one.key))}
                  >
                    <IconTrash size={17} stroke={1.75} />
                  </ActionIcon>
                </div>
              ))}
            </div>
          </Input.Wrapper>
          {options.length < limits.most && (
            <Group>
              <Button
                variant="subtle"
                size="compact-sm"
                leftSection={<IconPlus size={15} aria-hidden />}
                onClick={handleAdd}
              >
                Adicionar opção
              </Button>
            </Group>
          )}
          <Switch
            label="Permitir várias respostas"
            description={limits.several ? undefined : 'Neste canal, cada pessoa escolhe uma opção só.'}
            disabled={!limits.several}
            checked={isMultiple}
            onChange={(event) => setMultiple(event.currentTarget.checked)}
          />
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

const problemsOf = (question: string, titles: string[]) => {
  const isRepeated = new Set(titles.map((title) => title.toLowerCase())).size < titles.length
  return {
    question: question ? undefined : 'Escreva a pergunta.',
    options:
      titles.length < 2 ? 'Escreva pelo menos duas opções.' : isRepeated ? 'Escreva opções diferentes.' : undefined,
  }
}
