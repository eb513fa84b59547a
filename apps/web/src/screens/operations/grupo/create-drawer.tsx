import { createGroupsBody } from '@balcao/contract/operations/group-acts.ts'
import { NumberInput, Stack, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { receiveJob } from '../../../features/conversations/tickets/bulk-api.ts'
import { createGroups } from '../../../features/operations/groups/api.ts'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { notify } from '../../../ui/notify.ts'
import { SearchSelect } from '../../../ui/search-select.tsx'

/** New groups of a channel, numbered where there are several. */
export const CreateDrawer = ({ onClose }: { onClose: () => void }) => {
  const cache = useQueryClient()
  const able = (useQuery(connectionList).data ?? []).filter(({ abilities }) => abilities.groupActs.includes('create'))
  const [whatsappId, setConnection] = useState('')
  const [title, setTitle] = useState('')
  const [description, setDescription] = useState('')
  const [numbers, setNumbers] = useState('')
  const [quantity, setQuantity] = useState<number | string>(1)
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const list = numbers.split(/[\n,;]+/).flatMap((one) => one.trim() || [])
    const parsed = createGroupsBody.safeParse({
      whatsappId,
      title,
      description,
      numbers: list,
      quantity: Number(quantity),
    })
    if (!parsed.success) {
      const found: Record<string, string> = {}
      for (const { path, message } of parsed.error.issues) found[String(path[0])] ??= message
      return setErrors(found)
    }
    setBusy(true)
    setErrors({})
    try {
      receiveJob(cache, await createGroups(parsed.data))
      notify.success('Na fila: acompanhe acima da lista.')
      onClose()
    } catch (error) {
      const problems = isApiError(error) ? error.problems : []
      setErrors(
        problems.length
          ? Object.fromEntries(problems.map(({ path, message }) => [path, message]))
          : { form: messageOf(error) },
      )
      setBusy(false)
    }
  }
  return (
    <FormDrawer
      opened
      title="Criar grupos"
      dirty={title !== '' || description !== '' || numbers !== ''}
      busy={busy}
      submitLabel={Number(quantity) > 1 ? `Criar ${formatNumber(Number(quantity))} grupos` : 'Criar grupo'}
      problems={Object.values(errors)}
      onClose={onClose}
      onSubmit={(event) => void handleSubmit(event)}
    >
      <Stack gap="sm">
        <SearchSelect
          label="Canal"
          required
          data={able.map(({ id, name }) => ({ value: id, label: name }))}
          value={whatsappId || null}
          placeholder={able.length ? 'Escolha o canal' : 'Nenhum canal cria grupos'}
          error={errors.whatsappId}
          onChange={(id) => setConnection(id ?? '')}
        />
        <TextInput
          label="Nome"
          description="Com vários grupos, cada um ganha seu número no fim, ou onde estiver {{numero}}."
          required
          maxLength={100}
          value={title}
          error={errors.title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Textarea
          label="Descrição"
          autosize
          minRows={2}
          maxLength={2_048}
          value={description}
          error={errors.description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Textarea
          label="Quem entra"
          description="Um número por linha, com DDD. Um grupo precisa de pelo menos mais uma pessoa."
          placeholder={'11 98765-4321\n21 99876-5432'}
          required
          autosize
          minRows={3}
          maxRows={12}
          value={numbers}
          error={errors.numbers}
          onChange={(event) => setNumbers(event.currentTarget.value)}
        />
        <NumberInput
          label="Quantos grupos"
          allowDecimal={false}
          description="Com cerca de 30 segundos entre um e outro."
          min={1}
          max={50}
          value={quantity}
          error={errors.quantity}
          onChange={setQuantity}
        />
      </Stack>
    </FormDrawer>
  )
}
