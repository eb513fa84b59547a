import type { Rehearsal, RehearsalLine } from '@balcao/contract/automation/flows/rehearsal.ts'
import {
  ActionIcon,
  Button,
  Group,
  Menu,
  SegmentedControl,
  Select,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconClock, IconMapPin, IconPaperclip, IconRefresh, IconSend, IconX } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useBuilder, useDesk, useMark } from '../../../features/automation/flows/builder-context.ts'
import {
  draftId,
  flowsCalledBy,
  type RehearsalScene,
  said,
  sentFile,
  sentPlace,
  useRehearsal,
} from '../../../features/automation/flows/use-rehearsal.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { isOwnEscape } from './is-own-escape.ts'
import classes from './rehearsal-panel.module.css'
import panel from './step-panel.module.css'

const jumps = [
  { minutes: 5, label: '5 minutos' },
  { minutes: 30, label: '30 minutos' },
  { minutes: 120, label: '2 horas' },
  { minutes: 1_440, label: '1 dia' },
  { minutes: 10_080, label: '7 dias' },
]
const endTexts = { person: 'Passou para a equipe.', closed: 'O atendimento foi encerrado.' }

/** A phone beside the canvas: one writes as a customer and sees which way the draft goes. Nothing leaves. */
export const RehearsalPanel = ({ onClose, onShow }: { onClose: () => void; onShow: (nodeId: string) => void }) => {
  const { desk, marks } = useBuilder()
  const nameOf = useMark((now) => now.nameOf)
  const nodes = useDesk(desk, (state) => state.nodes)
  const referenced = useMemo(() => flowsCalledBy(nodes.values()), [nodes])
  const ways = useMemo(
    () => Math.max(0, ...[...nodes.values()].map((node) => (node.kind === 'split' ? node.data.branches.length : 0))),
    [nodes],
  )
  const graph = () => {
    const { nodes: now, settings } = desk.get()
    return { nodes: [...now.values()], settings }
  }
  const { isReady, connections, rehearsal, begin, go, stop } = useRehearsal(graph, referenced, nameOf)
  const [scene, setScene] = useState<RehearsalScene>({
    name: 'Maria Lima',
    connectionId: '',
    isFirst: true,
    at: '',
    branch: null,
  })
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const usual =
    connections.find(({ isDefault }) => isDefault) ??
    connections.find(({ abilities }) => abilities.supports.includes('buttons')) ??
    connections[0]
  const connectionId = scene.connectionId || usual?.id || ''

  // Within another flow it stands at the step that led there.
  const isElsewhere = rehearsal && rehearsal.state.versionId !== draftId
  const at = isElsewhere ? rehearsal.passed.at(-1) : rehearsal?.state.nodeId
  useEffect(() => {
    if (!rehearsal) return marks.set({ path: null })
    const { passed, lit } = rehearsal
    marks.set({ path: { passed: new Set(passed), lit: new Set(lit), at: at ?? null } })
  }, [marks, rehearsal, at])
  useEffect(() => {
    return () => marks.set({ path: null })
  }, [marks])
  const follow = useEffectEvent(onShow)
  useEffect(() => {
    if (at) follow(at)
  }, [at])

  const write = (words: string, choiceId: string | null = null) => {
    if (!words.trim()) return
    if (rehearsal) go({ kind: 'said', said: [said(words, choiceId)] })
    else begin({ ...scene, connectionId }, said(words))
    setText('')
    field.current?.focus()
  }
  const restart = () => {
    stop()
    field.current?.focus()
  }
  return (
    <aside className={panel.panel} aria-label="Ensaio do fluxo" onKeyDown={(event) => isOwnEscape(event) && onClose()}>
      <header className={panel.head}>
        <h2 className={panel.title}>Ensaio</h2>
        {rehearsal && (
          <Button size="compact-sm" variant="subtle" leftSection={<IconRefresh size={16} />} onClick={restart}>
            Recomeçar
          </Button>
        )}
        <ActionIcon size={32} aria-label="Fechar ensaio" onClick={onClose}>
          <IconX size={17} stroke={1.75} />
        </ActionIcon>
      </header>
      {rehearsal ? (
        <Chat rehearsal={rehearsal} onPress={write} onShow={onShow} />
      ) : (
        <div className={panel.fields}>
          <Text size="sm" c="dimmed">
            Escreva como se fosse o cliente. Nada é enviado, e nenhum cadastro muda.
          </Text>
          <TextInput
            label="Nome do cliente"
            maxLength={80}
            value={scene.name}
            onChange={(event) => setScene({ ...scene, name: event.currentTarget.value })}
          />
          <Select
            label="Canal"
            data={connections.map(({ id, name }) => ({ value: id, label: name }))}
            allowDeselect={false}
            value={connectionId || null}
            onChange={(value) => setScene({ ...scene, connectionId: value ?? '' })}
          />
          <TextInput
            type="datetime-local"
            label="Quando ele escreve"
            description="Em branco, agora."
            value={scene.at}
            onChange={(event) => setScene({ ...scene, at: event.currentTarget.value })}
          />
          {ways > 1 && (
            <Select
              label="No teste A/B"
              data={[
                { value: '', label: 'Por sorteio, como nas conversas' },
                ...Array.from({ length: ways }, (_, way) => ({
                  value: `${way}`,
                  label: `Sempre o ${way + 1}º caminho (${String.fromCharCode(65 + way)})`,
                })),
              ]}
              allowDeselect={false}
              value={scene.branch === null ? '' : `${scene.branch}`}
              onChange={(value) => setScene({ ...scene, branch: value ? Number(value) : null })}
            />
          )}
          <Switch
            label="É a primeira conversa dele"
            checked={scene.isFirst}
            onChange={(event) => setScene({ ...scene, isFirst: event.currentTarget.checked })}
          />
        </div>
      )}
      {rehearsal && <Meanwhile rehearsal={rehearsal} onGo={go} />}
      {rehearsal?.end ? (
        <footer className={classes.foot}>
          <Text size="sm" fw={600}>
            {endTexts[rehearsal.end.to]}
          </Text>
          <Button size="xs" onClick={restart}>
            Ensaiar de novo
          </Button>
        </footer>
      ) : (
        <form
          className={classes.foot}
          onSubmit={(event) => {
            event.preventDefault()
            write(text)
          }}
        >
          <TextInput
            ref={field}
            data-autofocus
            className={classes.input}
            aria-label="Mensagem do cliente"
            placeholder={rehearsal ? 'Responder como o cliente' : 'Primeira mensagem, como “oi”'}
            autoComplete="off"
            disabled={!isReady}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {rehearsal && (
            <>
              <ActionIcon
                size={36}
                variant="default"
                aria-label="Enviar um arquivo"
                onClick={() => go({ kind: 'said', said: [sentFile] })}
              >
                <IconPaperclip size={17} stroke={1.75} />
              </ActionIcon>
              <ActionIcon
                size={36}
                variant="default"
                aria-label="Enviar uma localização"
                onClick={() => go({ kind: 'said', said: [sentPlace] })}
              >
                <IconMapPin size={17} stroke={1.75} />
              </ActionIcon>
            </>
          )}
          <ActionIcon type="submit" size={36} variant="filled" aria-label="Enviar" disabled={!isReady || !text.trim()}>
            <IconSend size={17} stroke={1.75} />
          </ActionIcon>
        </form>
      )}
    </aside>
  )
}

type ChatProps = {
  rehearsal: Rehearsal
  onPress: (title: string, id: string) => void
  onShow: (nodeId: string) => void
}
const Chat = ({ rehearsal: { lines, end }, onPress, onShow }: ChatProps) => {
  const bottom = useRef<HTMLLIElement>(null)
  const count = lines.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line is shown
  useEffect(() => {
    bottom.current?.scrollIntoView({ block: 'end' })
  }, [count])
  return (
    <ol className={classes.chat} aria-label="Conversa do ensaio" aria-live="polite">
      {lines.map((line) => (
        <Line key={line.id} line={line} isOver={end !== null} onPress={onPress} onShow={onShow} />
      ))}
      <li ref={bottom} aria-hidden />
    </ol>
  )
}

type LineProps = { line: RehearsalLine; isOver: boolean } & Pick<ChatProps, 'onPress' | 'onShow'>
const Line = ({ line: { from, text, options, nodeId }, isOver, onPress, onShow }: LineProps) => (
  <li className={classes.line} data-from={from}>
    {nodeId ? (
      <button type="button" className={classes.words} title="Ver o passo" onClick={() => onShow(nodeId)}>
        {text}
      </button>
    ) : (
      <span className={classes.words}>{text}</span>
    )}
    {options.length > 0 && (
      <div className={classes.options}>
        {options.map(({ id, title }) => (
          <Button key={id} size="xs" variant="default" disabled={isOver} onClick={() => onPress(title, id)}>
            {title}
          </Button>
        ))}
      </div>
    )}
  </li>
)

type MeanwhileProps = { rehearsal: Rehearsal; onGo: ReturnType<typeof useRehearsal>['go'] }
/** The clock, and what a system answers that is asked. */
const Meanwhile = ({ rehearsal: { now, asked, outcome, end, state }, onGo }: MeanwhileProps) => {
  const [body, setBody] = useState('')
  const [isFailed, setFailed] = useState('ok')
  const event = state.wait?.for === 'time' ? state.wait.event : null
  const saves = asked?.request.saves ?? []
  const answer = () => {
    if (!asked) return
    const lines = body.split('\n')
    const vars = Object.fromEntries(saves.map(({ name }, at) => [name, lines[at] ?? '']))
    onGo({ kind: 'called', id: asked.id, ok: isFailed === 'ok', vars: isFailed === 'ok' ? vars : {} })
    setBody('')
  }
  const tell = (event: string) => {
    const lines = body.split('\n').map((line) => line.split(/[=:]([\s\S]*)/))
    const vars = Object.fromEntries(
      lines.flatMap(([name = '', value]) => (value === undefined ? [] : [[name.trim(), value.trim()]])),
    )
    onGo({ kind: 'told', event, vars })
    setBody('')
  }
  const settle = (port: string) => {
    if (!outcome) return
    const { variable } = outcome
    onGo({
      kind: 'called',
      id: outcome.id,
      ok: port !== 'failed',
      port,
      vars: variable && body ? { [variable]: body } : {},
    })
    setBody('')
  }
  return (
    <div className={classes.meanwhile}>
      <Group gap={8} justify="space-between" wrap="nowrap">
        <Text size="xs" c="dimmed" className={classes.clock}>
          {formatDateTime(now)}
        </Text>
        <Menu position="top-end" disabled={end !== null}>
          <Menu.Target>
            <Button size="compact-xs" variant="subtle" leftSection={<IconClock size={14} />} disabled={end !== null}>
              Passar o tempo
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {jumps.map(({ minutes, label }) => (
              <Menu.Item key={minutes} onClick={() => onGo({ kind: 'clock', minutes })}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      {event && !end && (
        <fieldset className={classes.asked}>
          <legend className={classes.legend}>Espera o evento “{event}”.</legend>
          <Textarea
            size="xs"
            label="O que vem com ele"
            placeholder="valor = R$ 20"
            description="Opcional. Uma variável por linha."
            autosize
            maxRows={4}
            value={body}
            onChange={(change) => setBody(change.currentTarget.value)}
          />
          <Button size="xs" variant="default" onClick={() => tell(event)}>
            Aconteceu: {event}
          </Button>
        </fieldset>
      )}
      {outcome && !end && (
        <fieldset className={classes.asked}>
          <legend className={classes.legend}>{outcome.title}</legend>
          {outcome.variable && (
            <TextInput
              size="xs"
              label={`Última resposta (${outcome.variable})`}
              value={body}
              onChange={(change) => setBody(change.currentTarget.value)}
            />
          )}
          <Group gap={6}>
            {outcome.ways.map(({ id, label }) => (
              <Button key={id} size="xs" variant="default" onClick={() => settle(id)}>
                {label}
              </Button>
            ))}
          </Group>
        </fieldset>
      )}
      {asked && !end && (
        <fieldset className={classes.asked}>
          <legend className={classes.legend}>O sistema foi chamado. O que ele responde?</legend>
          <SegmentedControl
            size="xs"
            aria-label="Resposta do sistema"
            data={[
              { value: 'ok', label: 'Responde' },
              { value: 'failed', label: 'Falha' },
            ]}
            value={isFailed}
            onChange={setFailed}
          />
          {isFailed === 'ok' &&
            saves.map(({ name }, at) => (
              <TextInput
                key={name}
                size="xs"
                label={name}
                value={body.split('\n')[at] ?? ''}
                onChange={(change) => {
                  const lines = saves.map((_, n) => body.split('\n')[n] ?? '')
                  lines[at] = change.currentTarget.value
                  setBody(lines.join('\n'))
                }}
              />
            ))}
          <Button size="xs" onClick={answer}>
            Continuar
          </Button>
        </fieldset>
      )}
    </div>
  )
}
