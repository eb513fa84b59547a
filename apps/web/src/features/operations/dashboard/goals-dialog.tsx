import { type Goals, goals as goalsSchema, type SettingsAnswer } from '@balcao/contract/people/settings.ts'
import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { resolverOf } from '../../../kit/form.ts'
import { notify } from '../../../ui/notify.ts'
import { settingsQuery, writeSettings } from '../../people/settings/api.ts'

type Props = { goals: Goals; onClose: () => void }
/** What the company wants of each month; empty: no goal. */
export const GoalsDialog = ({ goals, onClose }: Props) => {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const form = useForm<Goals>({ initialValues: goals, validate: resolverOf(goalsSchema) })
  const handleSave = async (values: Goals) => {
    setBusy(true)
    try {
      const saved: SettingsAnswer = await writeSettings({ goals: values }, { goals })
      cache.setQueryData(settingsQuery.queryKey, saved)
      notify.success('Metas salvas.')
      onClose()
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const field = (name: keyof Goals) => {
    const { onChange, value, ...input } = form.getInputProps(name)
    return {
      ...input,
      value: value ?? '',
      onChange: (typed: string | number) => onChange(typed === '' ? null : Number(typed)),
      min: 0,
      allowNegative: false,
      hideControls: true,
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Metas do mês</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={form.onSubmit((values) => void handleSave(values))} noValidate>
        <Stack>
          <NumberInput
            label="Atendimentos abertos"
            description="Quantos a empresa quer atender no mês."
            allowDecimal={false}
            thousandSeparator="."
            decimalSeparator=","
            data-autofocus
            {...field('attendances')}
          />
          <NumberInput
            label="Primeira resposta (minutos)"
            description="Em quanto tempo, em média, o cliente deve ter a primeira resposta."
            allowDecimal={false}
            {...field('firstAnswerMinutes')}
          />
          <NumberInput
            label="Nota média"
            description="Na escala que a empresa usa nas avaliações."
            decimalScale={1}
            decimalSeparator=","
            {...field('rating')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit" loading={busy}>
              Salvar metas
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
