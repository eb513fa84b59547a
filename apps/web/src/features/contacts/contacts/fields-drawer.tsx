import {
  type ContactField,
  contactFieldProblems,
  contactFieldResource,
  contactFieldTypeLabels,
  contactFieldTypes,
} from '@balcao/contract/contacts/contact-fields.ts'
import { ActionIcon, Button, Code, Drawer, Select, TagsInput, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconForms, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sayAfterPress } from '../../../kit/after-press.ts'
import { byField, messageOf, problemsOf } from '../../../kit/api-error.ts'
import { resolverOf } from '../../../kit/form.ts'
import { deleteRow, saveRow } from '../../../kit/resource-api.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { contactFieldsQuery } from './fields-api.ts'
import classes from './fields-drawer.module.css'

/** The fields the company adds to its contacts. */
export const FieldsDrawer = ({ onClose }: { onClose: () => void }) => {
  const cache = useQueryClient()
  const fields = useQuery(contactFieldsQuery)
  const [opened, setOpened] = useState<ContactField | 'new' | null>(null)
  const [deleting, setDeleting] = useState<ContactField | null>(null)
  const [busy, setBusy] = useState(false)
  const renew = () => cache.invalidateQueries({ queryKey: ['resource', contactFieldResource.event] })

  const handleDelete = async () => {
    if (!deleting) return
    setBusy(true)
    try {
      await deleteRow(contactFieldResource, deleting.id)
      setDeleting(null)
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setBusy(false)
      void renew()
    }
  }
  if (opened)
    return (
      <FieldForm
        field={opened === 'new' ? null : opened}
        onClose={() => setOpened(null)}
        onSaved={() => {
          setOpened(null)
          void renew()
        }}
      />
    )
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(100%, 460px)"
      title={
        <Text fw={600} size="lg" component="span">
          Campos personalizados
        </Text>
      }
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <Text size="sm" c="dimmed" mb="md">
        Aparecem em todos os contatos e nas mensagens, como <Code>{'{{extra.chave}}'}</Code>.
      </Text>
      {fields.isPending ? (
        <SkeletonList rows={4} height={52} />
      ) : fields.isError ? (
        <ErrorState message={messageOf(fields.error)} onRetry={() => void fields.refetch()} />
      ) : fields.data.length === 0 ? (
        <EmptyState icon={<IconForms size={26} stroke={1.5} />} title="Nenhum campo ainda">
          Crie campos para o que a sua empresa precisa saber, como plano, tamanho ou data da compra.
        </EmptyState>
      ) : (
        <ul className={classes.list}>
          {fields.data.map((field) => (
            <li key={field.id} className={classes.item}>
              <div className={classes.words}>
                <span className="truncate">{field.name}</span>
                <Text size="sm" c="dimmed" component="span" className="truncate">
                  {contactFieldTypeLabels[field.type]} · {`{{extra.${field.key}}}`}
                </Text>
              </div>
              <ActionIcon aria-label={`Editar ${field.name}`} onClick={() => setOpened(field)}>
                <IconPencil size={18} stroke={1.75} />
              </ActionIcon>
              <ActionIcon aria-label={`Excluir ${field.name}`} color="red" onClick={() => setDeleting(field)}>
                <IconTrash size={18} stroke={1.75} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <Button mt="md" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpened('new')}>
        Criar campo
      </Button>
      <ConfirmDialog
        opened={deleting !== null}
        title={`Excluir o campo ${deleting?.name}?`}
        confirmLabel="Excluir"
        tone="danger"
        busy={busy}
        onClose={() => setDeleting(null)}
        onConfirm={() => void handleDelete()}
      >
        O que já foi preenchido continua nos contatos, como texto.
      </ConfirmDialog>
    </Drawer>
  )
}

type FormProps = { field: ContactField | null; onClose: () => void; onSaved: () => void }
const FieldForm = ({ field, onClose, onSaved }: FormProps) => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [isKeyTyped, setKeyTyped] = useState(field !== null)
  const form = sayAfterPress(
    useForm({
      initialValues: {
        name: field?.name ?? '',
        key: field?.key ?? '',
        type: field?.type ?? ('text' as ContactField['type']),
        options: field?.options ?? [],
      },
      validate: resolverOf(contactFieldResource.write, contactFieldProblems),
      validateInputOnBlur: true,
    }),
  )
  const save = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await saveRow(contactFieldResource, field, contactFieldResource.write.parse(form.getValues()))
      form.resetDirty()
      onSaved()
    } catch (error) {
      const problems = problemsOf(error)
      form.setErrors(byField(problems))
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormDrawer
      opened
      title={field ? 'Editar campo' : 'Criar campo'}
      onClose={onClose}
      onSubmit={form.onSubmit(() => void save())}
      dirty={form.isDirty()}
      busy={busy}
      submitLabel={field ? 'Salvar' : 'Criar'}
      problems={problem ? [problem] : []}
    >
      <TextInput
        label="Nome"
        required
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
        onChange={(event) => {
          const name = event.currentTarget.value
          form.setFieldValue('name', name)
          if (!isKeyTyped) form.setFieldValue('key', keyOf(name))
        }}
      />
      <TextInput
        label="Chave"
        required
        maxLength={60}
        description={
          field
            ? 'Mudar a chave separa o campo do que já foi preenchido.'
            : `Nas mensagens: {{extra.${form.values.key || 'chave'}}}. Use a de um campo livre para aproveitar o que já foi preenchido.`
        }
        {...form.getInputProps('key')}
        onChange={(event) => {
          setKeyTyped(true)
          form.setFieldValue('key', event.currentTarget.value)
        }}
      />
      <Select
        label="Tipo"
        allowDeselect={false}
        data={contactFieldTypes.map((value) => ({ value, label: contactFieldTypeLabels[value] }))}
        {...form.getInputProps('type')}
      />
      {form.values.type === 'list' && (
        <TagsInput
          label="Opções"
          description="Escreva cada opção e tecle Enter."
          required
          maxTags={100}
          {...form.getInputProps('options')}
        />
      )}
    </FormDrawer>
  )
}

const keyOf = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
