import type { Rehearsed } from '@balcao/contract/automation/assistants/assistants.ts'
import { type AssistantConfig, handOverReasonLabels } from '@balcao/contract/automation/assistants/config.ts'
import { ActionIcon, Button, Loader, Text, TextInput } from '@mantine/core'
import { IconRefresh, IconSend, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { rehearse, type TalkLine } from '../../../features/automation/assistants/api.ts'
import { RunSteps } from '../../../features/automation/assistants/run-steps.tsx'
import { moneyOf } from '../../../features/automation/models/money.ts'
import { messageOf } from '../../../kit/api-error.ts'
import classes from '../chat-flow/rehearsal-panel.module.css'
import panel from '../chat-flow/step-panel.module.css'

type Shown = TalkLine & { made?: Rehearsed }
type Props = { assistantId: string; config: AssistantConfig; onClose: () => void }

/** A phone beside the draft: one writes as a customer, and the draft answers as it stands in the form. Nothing is sent. */
export const Rehearsal = ({ assistantId, config, onClose }: Props) => {
  const [lines, setLines] = useState<Shown[]>([])
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const end = useRef<HTMLLIElement>(null)
  const answer = useMutation({
    mutationFn: (talk: Shown[]) =>
      rehearse(
        assistantId,
        config,
        talk.map(({ from, text: words }) => ({ from, text: words })),
      ),
    onSuccess: (made) =>
      setLines((now) => [...now, { from: 'assistant', text: made.text || endOf(made) || '(nada a dizer)', made }]),
    onSettled: () => field.current?.focus(),
  })
  const last = lines.at(-1)?.made
  useEffect(() => {
    if (lines.length) end.current?.scrollIntoView({ block: 'nearest' })
  }, [lines])
  const restart = () => {
    setLines([])
    answer.reset()
    field.current?.focus()
  }
  const send = () => {
    const words = text.trim()
    if (!words || answer.isPending) return
    const next: Shown[] = [...lines, { from: 'customer', text: words }]
    setLines(next)
    setText('')
    answer.mutate(next)
  }
  return (
    <aside className={panel.panel} aria-label="Ensaio do assistente">
      <header className={panel.head}>
        <h2 className={panel.title}>Ensaio</h2>
        {lines.length > 0 && (
          <Button size="compact-sm" variant="subtle" leftSection={<IconRefresh size={16} />} onClick={restart}>
            Recomeçar
          </Button>
        )}
        <ActionIcon size={32} aria-label="Fechar ensaio" onClick={onClose}>
          <IconX size={17} stroke={1.75} />
        </ActionIcon>
      </header>
      <ol className={classes.chat} aria-live="polite">
        {!lines.length && (
          <li className={classes.line} data-from="note">
            <Text size="sm" c="dimmed" ta="center" p="md">
              Escreva como se fosse o cliente. Responde o rascunho como está no formulário; nada é enviado, e nenhum
              cadastro muda.
            </Text>
          </li>
        )}
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added
          <li key={at} className={classes.line} data-from={line.from === 'customer' ? 'customer' : 'us'}>
            <span className={classes.words}>{line.text}</span>
            {line.made && <Made made={line.made} />}
          </li>
        ))}
        {answer.isPending && (
          <li className={classes.line}>
            <Loader size="xs" type="dots" aria-label="Pensando" />
          </li>
        )}
        {answer.isError && (
          <li className={classes.line} role="alert">
            <Text size="sm" c="red">
              {messageOf(answer.error)}
            </Text>
            <Button size="compact-sm" variant="default" onClick={() => answer.mutate(lines)}>
              Tentar de novo
            </Button>
          </li>
        )}
        <li ref={end} aria-hidden />
      </ol>
      <form
        className={classes.foot}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <TextInput
          ref={field}
          className={classes.input}
          aria-label="Mensagem do cliente"
          placeholder={
            last?.handOver
              ? 'A equipe continuaria daqui'
              : lines.length
                ? 'Responder como o cliente'
                : 'Primeira mensagem, como “oi”'
          }
          autoComplete="off"
          maxLength={4_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ActionIcon
          type="submit"
          size={36}
          variant="filled"
          aria-label="Enviar"
          disabled={!text.trim() || answer.isPending}
        >
          <IconSend size={17} stroke={1.75} />
        </ActionIcon>
      </form>
    </aside>
  )
}

const endOf = ({ handOver }: Rehearsed) => (handOver ? `Passou para a equipe: ${handOverReasonLabels[handOver]}.` : '')

const Made = ({ made }: { made: Rehearsed }) => {
  const { handOver, text, effects, steps, passages, costMicros, ms } = made
  return (
    <details style={{ maxWidth: '88%' }}>
      <summary style={{ cursor: 'pointer' }}>
        <Text span size="xs" c="dimmed">
          {[
            handOver && text && endOf(made),
            ...effects,
            `${(ms / 1_000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} s`,
            moneyOf(costMicros),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </summary>
      <RunSteps steps={steps} passages={passages} />
    </details>
  )
}
