import {
  type MailRhythm,
  mailRhythmLabels,
  mailRhythms,
  type ReportView,
  reportViewResource,
} from '@balcao/contract/operations/reports/views.ts'
import { Button, Group, Modal, Select, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { isApiError, reasonOf } from '../../../kit/api-error.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { notify } from '../../../ui/notify.ts'
import { useReportViews } from './api.ts'

type Props = {
  /** null: a new one. */
  saved: ReportView | null
  report: string
  /** The filters as they stand in the address. */
  current: string
  onClose: () => void
}

/** A report with its filters under a name, shared or not, and when it goes out by mail. */
export const ViewDialog = ({ saved, report, current, onClose }: Props) => {
  const { save, remove } = useReportViews()
  const [name, setName] = useState(saved?.name ?? '')
  const [isShared, setShared] = useState(saved?.isShared ?? false)
  const [mailEvery, setMailEvery] = useState<MailRhythm>(saved?.mailEvery ?? 'never')
  const [mailTo, setMailTo] = useState<string[]>(saved?.mailTo ?? [])
  const [renews, setRenews] = useState(false)
  const [asks, setAsks] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const query = saved && !renews ? saved.query : current
    const checked = reportViewResource.write.safeParse({ name, report, isShared, query, mailEvery, mailTo })
    if (!checked.success)
      return setErrors(Object.fromEntries(checked.error.issues.map(({ path, message }) => [String(path[0]), message])))
    try {
      await save.mutateAsync({ ...(saved && { id: saved.id, version: saved.version }), ...checked.data })
      notify.success(saved ? 'Relatório salvo alterado.' : 'Relatório salvo.')
      onClose()
    } catch (problem) {
      const text = reasonOf(problem)
      if (isApiError(problem, 'ERR_DUPLICATED')) setErrors({ name: 'Você já tem um relatório com este nome.' })
      else setErrors({ [mailEvery === 'never' ? 'name' : 'mailTo']: text })
    }
  }
  const handleRemove = () =>
    saved &&
    remove.mutate(saved.id, {
      onSuccess: () => {
        notify.success('Relatório salvo excluído.')
        onClose()
      },
    })

  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{saved ? 'Editar relatório salvo' : 'Salvar relatório'}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit} noValidate>
        <Stack gap="sm">
          <TextInput
            label="Nome"
            placeholder="Ex.: Vendas da semana"
            data-autofocus
            maxLength={60}
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value)
              setErrors({})
            }}
            error={errors.name}
          />
          <Switch
            label="Compartilhar com quem lê relatórios"
            description="Os colegas veem e usam; só você altera."
            checked={isShared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
          <Select
            label="Enviar por e-mail"
            description="Às 7 h, o que acabou de terminar: o dia, a semana ou o mês anterior."
            allowDeselect={false}
            data={mailRhythms.map((value) => ({ value, label: mailRhythmLabels[value] }))}
            value={mailEvery}
            onChange={(value) => setMailEvery((value ?? 'never') as MailRhythm)}
          />
          {mailEvery !== 'never' && (
            <TagsInput
              label="Para"
              placeholder="nome@empresa.com.br"
              value={mailTo}
              onChange={(value) => {
                setMailTo(value)
                setErrors({})
              }}
              maxTags={10}
              splitChars={[',', ';', ' ']}
              acceptValueOnBlur
              error={errors.mailTo}
            />
          )}
          {saved && saved.query !== current && (
            <Switch
              label="Trocar pelos filtros de agora"
              checked={renews}
              onChange={(event) => setRenews(event.currentTarget.checked)}
            />
          )}
        </Stack>
        <Group justify="space-between" gap="sm" mt="lg">
          {saved && (
            <Button variant="subtle" color="red" px={8} onClick={() => setAsks(true)}>
              Excluir
            </Button>
          )}
          <Group gap="xs" wrap="nowrap" ml="auto">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit" loading={save.isPending}>
              Salvar
            </Button>
          </Group>
        </Group>
      </form>
      {saved && (
        <ConfirmDelete
          opened={asks}
          what={`o relatório salvo “${saved.name}”`}
          busy={remove.isPending}
          onConfirm={handleRemove}
          onClose={() => setAsks(false)}
        >
          {saved.mailEvery === 'never'
            ? 'Os filtros guardados se perdem. Os números continuam nos relatórios.'
            : 'Ele deixa de ser enviado por e-mail. Os números continuam nos relatórios.'}
        </ConfirmDelete>
      )}
    </Modal>
  )
}
