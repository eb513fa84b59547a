import { Button, Group, Modal, Select, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { reasonOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'
import { ratingSettingsQuery, useGrade } from './api.ts'

type Props = {
  /** The rating to correct; none: the conversation was never asked about. */
  id?: string
  ticketId: string
  who: string
  grade: number | null
  comment: string
  onClose: () => void
}

/** What the customer said by another way: by phone, in the shop. */
export const GradeDialog = ({ id, ticketId, who, grade, comment, onClose }: Props) => {
  const settings = useQuery(ratingSettingsQuery)
  const save = useGrade()
  const [value, setValue] = useState(grade === null ? null : String(grade))
  const [text, setText] = useState(comment)
  const [problem, setProblem] = useState<string | null>(null)
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (value === null) return setProblem('Escolha a nota.')
    try {
      await save.mutateAsync({ id, ticketId, grade: Number(value), comment: text })
      notify.success('Avaliação registrada.')
      onClose()
    } catch (error) {
      setProblem(reasonOf(error))
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{grade === null ? 'Registrar avaliação' : 'Corrigir avaliação'}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit} noValidate>
        <Stack gap="sm">
          <Text c="dimmed" size="sm">
            O que {who} disse por outro meio, como o telefone. Fica registrado quem informou.
          </Text>
          <Select
            label="Nota"
            placeholder="Escolha a nota"
            required
            data-autofocus
            openOnFocus={false}
            allowDeselect={false}
            data={(settings.data?.options ?? []).map((one) => ({
              value: String(one.value),
              label: `${one.value} – ${one.label}`,
            }))}
            value={value}
            onChange={(next) => {
              setValue(next)
              setProblem(null)
            }}
            error={problem}
          />
          <Textarea
            label="Comentário"
            autosize
            minRows={2}
            maxRows={6}
            maxLength={1_000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </Stack>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" loading={save.isPending}>
            Salvar
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
