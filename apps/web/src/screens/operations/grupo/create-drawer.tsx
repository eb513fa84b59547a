import { mostInGroup, mostPerCall } from '@balcao/contract/channels/group-acts.ts'
import type { FieldProblem } from '@balcao/contract/errors.ts'
import { createdNames, createGroupsBody, mostCreated, mostOthers } from '@balcao/contract/operations/group-acts.ts'
import { Alert, NumberInput, Stack, Text, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { receiveJob } from '../../../features/conversations/tickets/bulk-api.ts'
import { MediaField } from '../../../features/core/media/media-field.tsx'
import { createGroups } from '../../../features/operations/groups/api.ts'
import { numbersIn, wrongNumbers } from '../../../features/operations/groups/numbers.ts'
import { NumbersField } from '../../../features/operations/groups/numbers-field.tsx'
import { SegmentNumbers } from '../../../features/operations/groups/segment-numbers.tsx'
import { byField, messageOf, problemsOf } from '../../../kit/api-error.ts'
import { problemsIn } from '../../../kit/form.ts'
import { formatDuration, formatNumber } from '../../../kit/format.ts'
import { useNewId } from '../../../kit/use-new-id.ts'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { notify } from '../../../ui/notify.ts'
import { SearchSelect } from '../../../ui/search-select.tsx'

/** New groups of a channel, numbered where there are several. */
export const CreateDrawer = ({ onClose }: { onClose: () => void }) => {
  const cache = useQueryClient()
  const newIdOf = useNewId()
  const able = useQuery(connectionList).data?.filter(({ abilities }) => abilities.groupActs.includes('create'))
  const [whatsappId, setConnection] = useState('')
  const [names, setNames] = useState('')
  const [mediaId, setMedia] = useState<string | null>(null)
  const [description, setDescription] = useState('')
  const [numbers, setNumbers] = useState('')
  const [quantity, setQuantity] = useState<number | string>(1)
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})

  const refuse = (problems: readonly FieldProblem[]) => {
    const ofNumbers = wrongNumbers(problems, numbers)
    setErrors({ ...byField(problems, fieldOf), ...(ofNumbers && { numbers: ofNumbers }) })
  }
  /** What is being corrected is not held against anybody any more. */
  const forget = (field: string) => setErrors(({ [field]: _told, ...others }) => others)
  const titles = names.split(/\r\n|\r|\n/).flatMap((one) => one.trim() || [])
  const people = useMemo(() => numbersIn(numbers).length, [numbers])
  const places = Math.max(1, Math.ceil(people / mostOthers))
  const isList = titles.length > 1
  const made = createdNames(
    { title: titles[0] ?? '', titles: isList ? titles : [], quantity: isList ? 1 : Number(quantity) },
    places,
  )
  const count = made.length
  const calls = count * Math.max(1, Math.ceil(Math.min(people, mostOthers) / mostPerCall))
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const asked = {
      ...{ whatsappId, description, mediaId, numbers: numbersIn(numbers) },
      ...(titles.length > 1 ? { titles } : { title: titles[0] ?? '', quantity: Number(quantity) }),
    }
    const wrong = problemsIn(createGroupsBody, asked)
    if (wrong.length) return refuse(wrong)
    setBusy(true)
    setErrors({})
    try {
      receiveJob(cache, await createGroups({ ...asked, id: newIdOf(asked) }))
      notify.success('Na fila: acompanhe acima da lista.')
      onClose()
    } catch (error) {
      const problems = problemsOf(error)
      if (problems.length) refuse(problems)
      else setErrors({ form: messageOf(error) })
      setBusy(false)
    }
  }
  return (
    <FormDrawer
      opened
      title="Criar grupos"
      dirty={names !== '' || mediaId !== null || description !== '' || numbers !== ''}
      busy={busy}
      submitLabel={count > 1 ? `Criar ${formatNumber(count)} grupos` : 'Criar grupo'}
      problems={Object.values(errors)}
      onClose={onClose}
      onSubmit={(event) => void handleSubmit(event)}
    >
      <Stack gap="sm">
        <SearchSelect
          label="Canal"
          required
          data-autofocus
          data={(able ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={whatsappId || null}
          placeholder={able?.length === 0 ? 'Nenhum canal cria grupos' : 'Escolha o canal'}
          error={errors.whatsappId}
          onChange={(id) => {
            setConnection(id ?? '')
            forget('whatsappId')
          }}
        />
        <Textarea
          label="Nome"
          description="Com vários grupos, cada um ganha seu número no fim, ou onde estiver {{numero}}. Ou cole uma lista: um grupo para cada linha."
          required
          autosize
          minRows={1}
          maxRows={10}
          value={names}
          error={errors.title}
          onChange={(event) => {
            setNames(event.currentTarget.value)
            forget('title')
          }}
        />
        <Textarea
          label="Descrição"
          autosize
          minRows={2}
          maxLength={2_048}
          value={description}
          error={errors.description}
          onChange={(event) => {
            setDescription(event.currentTarget.value)
            forget('description')
          }}
        />
        <MediaField
          label="Foto"
          description="Opcional. JPG ou PNG, cortada em um quadrado."
          chooseLabel="Escolher foto"
          accept="image/*"
          media={null}
          value={mediaId}
          error={errors.mediaId}
          onChange={(id) => {
            setMedia(id)
            forget('mediaId')
          }}
        />
        <NumbersField
          label="Quem entra"
          description="Um número por linha, com DDD. Um grupo precisa de pelo menos mais uma pessoa."
          minRows={3}
          value={numbers}
          error={errors.numbers}
          onChange={(text) => {
            setNumbers(text)
            forget('numbers')
          }}
        >
          <SegmentNumbers
            onNumbers={(lines) => {
              setNumbers((now) => [now.trimEnd(), ...lines].filter(Boolean).join('\n'))
              forget('numbers')
            }}
          />
        </NumbersField>
        {titles.length <= 1 && (
          <NumberInput
            label="Quantos grupos"
            allowDecimal={false}
            min={1}
            max={mostCreated}
            value={quantity}
            error={errors.quantity}
            onChange={(next) => {
              setQuantity(next)
              forget('quantity')
            }}
          />
        )}
        {places > 1 && (
          <Text size="sm">
            São {formatNumber(people)} números, e um grupo leva {formatNumber(mostInGroup)} pessoas com o seu número:
            quem não couber vai para o próximo, numerado.
          </Text>
        )}
        {calls > 1 && (
          <Text size="sm" c="dimmed">
            {count > 1 &&
              (isList && places === 1
                ? `${formatNumber(count)} grupos, um de cada nome. `
                : `${formatNumber(count)} grupos: ${made[0]}${count > 2 ? ',' : ' e'} ${made[1]}${count > 2 ? '…' : '.'} `)}
            {calls > count
              ? `Cada um começa com até ${mostPerCall} pessoas e recebe as outras em partes, com cerca de 30 segundos entre um pedido e outro`
              : 'Cerca de 30 segundos entre um e outro'}
            : leva {formatDuration((calls - 1) * 30_000)}.
          </Text>
        )}
        {count > manyGroups && (
          <Alert color="yellow">
            Criar muitos grupos em pouco tempo costuma bloquear o número. Divida entre canais e dias.
          </Alert>
        )}
      </Stack>
    </FormDrawer>
  )
}
const manyGroups = 50
/** Where a problem of what was asked is told. */
const fieldOf = (path: string) => {
  const [field = ''] = path.split('.')
  return field === 'titles' ? 'title' : field
}
