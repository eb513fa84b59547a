import { mostInGroup, mostPerCall } from '@balcao/contract/channels/group-acts.ts'
import {
  type GroupAct,
  groupAct,
  groupActLabels,
  numberedTitle,
  numberVariable,
} from '@balcao/contract/operations/group-acts.ts'
import { namesOf } from '@balcao/contract/operations/group-variables.ts'
import { Alert, NumberInput, SegmentedControl, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { receiveJob } from '../../../features/conversations/tickets/bulk-api.ts'
import { MediaField } from '../../../features/core/media/media-field.tsx'
import { enqueueGroupAct } from '../../../features/operations/groups/api.ts'
import { numbersIn, wrongNumbers } from '../../../features/operations/groups/numbers.ts'
import { NumbersField } from '../../../features/operations/groups/numbers-field.tsx'
import { SegmentNumbers } from '../../../features/operations/groups/segment-numbers.tsx'
import { messageOf, problemsOf } from '../../../kit/api-error.ts'
import { formatDuration, formatNumber } from '../../../kit/format.ts'
import { useNewId } from '../../../kit/use-new-id.ts'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { notify } from '../../../ui/notify.ts'
import type { Meant } from './groups-screen.tsx'

export type ActKind = GroupAct['kind']
type Props = { kind: ActKind; meant: Meant; onClose: () => void; onDone: () => void }

/** What is to be done to the chosen groups, and how fast; what does not work in a group is told there. */
export const ActDrawer = ({ kind, meant, onClose, onDone }: Props) => {
  const cache = useQueryClient()
  const newIdOf = useNewId()
  const [text, setText] = useState('')
  const [mediaId, setMedia] = useState<string | null>(null)
  const [isOn, setOn] = useState(true)
  const [invites, setInvites] = useState(true)
  const [isRenewed, setRenewed] = useState(false)
  const [rest, setRest] = useState<number | string>(8)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [actProblem, setActProblem] = useState<string | null>(null)
  const [restProblem, setRestProblem] = useState<string | null>(null)
  const unable = [
    ...new Set(
      meant.rows.filter(({ connection }) => !connection.acts.includes(kind)).map(({ connection }) => connection.name),
    ),
  ]
  const notAdmin = meant.rows.filter(
    ({ id, ourRole }) => (meant.all || meant.ids.includes(id)) && ourRole === 'member',
  ).length

  const busiest = Math.max(
    ...[...Map.groupBy(meant.rows, ({ connection }) => connection.id).values()].map((rows) => rows.length),
  )
  const people = useMemo(() => (isMembers(kind) ? numbersIn(text).length : 0), [kind, text])
  const parts = Math.max(1, Math.ceil(people / mostPerCall))
  const takesMs = meant.all ? null : (busiest * parts - 1) * Number(rest) * 1_000
  const full =
    kind === 'add'
      ? meant.rows.filter(({ id, members }) => (meant.all || meant.ids.includes(id)) && members + people > mostInGroup)
      : []

  const write = (next: string) => {
    setText(next)
    setActProblem(null)
  }
  const isNumbered = text.includes(numberVariable)
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const parsed = groupAct.safeParse(actOf(kind, { text, mediaId, isOn, invites, isRenewed }))
    setProblem(null)
    if (!parsed.success) return setActProblem(parsed.error.issues[0]?.message ?? 'Confira o que foi preenchido.')
    setBusy(true)
    setActProblem(null)
    setRestProblem(null)
    try {
      const { ids, all } = meant
      const asked = { act: parsed.data, ids, all, restSeconds: Number(rest) }
      receiveJob(cache, await enqueueGroupAct({ ...asked, id: newIdOf(asked) }))
      notify.success('Na fila: acompanhe acima da lista.')
      onDone()
    } catch (error) {
      const found = problemsOf(error)
      const ofRest = found.find(({ path }) => path === 'restSeconds')
      const ofAct = found.find(({ path }) => path.startsWith('act'))
      setRestProblem(ofRest?.message ?? null)
      setActProblem(wrongNumbers(found, text) ?? ofAct?.message ?? null)
      if (!ofRest && !ofAct) setProblem(found[0]?.message ?? messageOf(error))
      setBusy(false)
    }
  }
  return (
    <FormDrawer
      opened
      title={groupActLabels[kind]}
      dirty={text !== '' || mediaId !== null}
      busy={busy}
      submitLabel={meant.count === 1 ? 'Fazer em 1 grupo' : `Fazer em ${formatNumber(meant.count)} grupos`}
      problems={[problem, actProblem, restProblem].flatMap((one) => one ?? [])}
      onClose={onClose}
      onSubmit={(event) => void handleSubmit(event)}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {meant.all
            ? `Todos os ${formatNumber(meant.count)} grupos da lista.`
            : `Em ${namesOf(meant.rows.map(({ name }) => name))}.`}
        </Text>
        {unable.length > 0 && (
          <Alert color="yellow">
            {unable.join(', ')}: este canal não permite fazer isto. Os grupos dele ficam como estão.
          </Alert>
        )}
        {notAdmin > 0 && kind !== 'inviteLink' && (
          <Alert color="yellow">
            {notAdmin === 1 ? 'Em 1 grupo' : `Em ${formatNumber(notAdmin)} grupos`} este número não é administrador: lá
            isto deve ser recusado.
          </Alert>
        )}
        {kind === 'title' && (
          <TextInput
            label="Novo nome"
            description={
              isNumbered
                ? `${numberedTitle(text, 1, meant.count)}, ${numberedTitle(text, 2, meant.count)}… na ordem da lista.`
                : 'O mesmo em todos. Com {{numero}}, cada grupo ganha seu número: Turma {{numero}}.'
            }
            required
            maxLength={100}
            data-autofocus
            value={text}
            error={actProblem}
            onChange={(event) => write(event.currentTarget.value)}
          />
        )}
        {kind === 'description' && (
          <Textarea
            label="Nova descrição"
            description="Vazia: o grupo fica sem descrição."
            autosize
            minRows={4}
            maxLength={2_048}
            data-autofocus
            value={text}
            error={actProblem}
            onChange={(event) => write(event.currentTarget.value)}
          />
        )}
        {kind === 'picture' && (
          <MediaField
            label="Nova foto"
            description="JPG ou PNG. Ela é cortada em um quadrado."
            chooseLabel="Escolher foto"
            accept="image/*"
            media={null}
            value={mediaId}
            error={actProblem}
            onChange={setMedia}
          />
        )}
        {kind === 'adminsOnly' && (
          <SegmentedControl
            aria-label="Quem pode escrever"
            data={[
              { value: 'sim', label: 'Só administradores' },
              { value: 'nao', label: 'Todos' },
            ]}
            value={isOn ? 'sim' : 'nao'}
            onChange={(value) => setOn(value === 'sim')}
          />
        )}
        {isMembers(kind) && (
          <NumbersField
            label="Números"
            description="Um por linha, com DDD; de outro país, comece com +. Um CSV com nomes ao lado também serve."
            data-autofocus
            value={text}
            error={actProblem}
            onChange={write}
          >
            {kind === 'add' && (
              <SegmentNumbers onNumbers={(lines) => write([text.trimEnd(), ...lines].filter(Boolean).join('\n'))} />
            )}
          </NumbersField>
        )}
        {parts > 1 && (
          <Text size="sm" c="dimmed">
            {formatNumber(people)} números: vão em partes de {mostPerCall}, com o resultado de cada pessoa.
          </Text>
        )}
        {people > 0 && full.length > 0 && (
          <Alert color="yellow">
            Em {namesOf(full.map(({ name }) => name))} não cabem todos: um grupo leva no máximo{' '}
            {formatNumber(mostInGroup)} pessoas.
          </Alert>
        )}
        {kind === 'add' && (
          <Switch
            label="Enviar o convite a quem não pode ser adicionado"
            description="Quem só entra em grupos por convite recebe o link em uma mensagem deste canal."
            checked={invites}
            onChange={(event) => setInvites(event.currentTarget.checked)}
          />
        )}
        {kind === 'inviteLink' && (
          <Switch
            label="Trocar os links"
            description="Os links de agora deixam de funcionar."
            checked={isRenewed}
            onChange={(event) => setRenewed(event.currentTarget.checked)}
          />
        )}
        <NumberInput
          label={parts > 1 ? 'Intervalo entre partes e grupos (segundos)' : 'Intervalo entre grupos (segundos)'}
          allowDecimal={false}
          description="Varia até 40 % para mais ou para menos. Rápido demais, o WhatsApp pode bloquear o número."
          min={3}
          max={600}
          value={rest}
          error={restProblem}
          onChange={setRest}
        />
        {takesMs !== null && takesMs >= 60_000 && (
          <Text size="sm" c="dimmed">
            Leva cerca de {formatDuration(takesMs)}. Você pode fechar esta página: continua no servidor.
          </Text>
        )}
        {undoable.has(kind) && (
          <Text size="sm" c="dimmed">
            Dá para desfazer por 7 dias: o que havia antes fica guardado.
          </Text>
        )}
      </Stack>
    </FormDrawer>
  )
}

const undoable: ReadonlySet<ActKind> = new Set<ActKind>([
  ...(['title', 'description', 'picture', 'adminsOnly', 'add', 'remove', 'promote', 'demote'] as const),
])
const isMembers = (kind: ActKind) => kind === 'add' || kind === 'remove' || kind === 'promote' || kind === 'demote'
type Filled = { text: string; mediaId: string | null; isOn: boolean; invites: boolean; isRenewed: boolean }
const actOf = (kind: ActKind, { text, mediaId, isOn, invites, isRenewed }: Filled): object => {
  switch (kind) {
    case 'title':
      return { kind, title: text }
    case 'description':
      return { kind, description: text }
    case 'picture':
      return { kind, mediaId: mediaId ?? '' }
    case 'adminsOnly':
      return { kind, isOn }
    case 'inviteLink':
      return { kind, isRenewed }
    default:
      return { kind, numbers: numbersIn(text), invites }
  }
}
