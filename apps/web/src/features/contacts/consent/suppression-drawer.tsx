import { type ChannelKind, channelKinds, channels } from '@balcao/contract/channels/index.ts'
import { mostSuppressed, purposeLabels, refusable, suppressionBody } from '@balcao/contract/contacts/consent.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { Button, Checkbox, Drawer, FileButton, Group, MultiSelect, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconFileUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { byField, messageOf, problemsOf } from '../../../kit/api-error.ts'
import { problemsIn } from '../../../kit/form.ts'
import { formatNumber, plural } from '../../../kit/format.ts'
import { textFileProblem, textOfFile } from '../../../kit/text-of-file.ts'
import { notify } from '../../../ui/notify.ts'
import { bringSuppressions, suppressionsQuery } from './api.ts'
import { SuppressionLists } from './suppression-lists.tsx'

type Values = { text: string; channels: ChannelKind[]; purposes: (typeof refusable)[number][]; proof: string }

type Props = {
  /** The channels the company has. */
  used: readonly ChannelKind[]
  onAsked: (job: BulkJob) => void
  onClose: () => void
}

/** Phones and e-mails that are not to be written to, pasted or from a file; and the lists of before. */
export const SuppressionDrawer = (props: Props) => (
  <Drawer
    opened
    onClose={props.onClose}
    position="right"
    size="min(100%, 520px)"
    title={
      <Text fw={600} size="lg" component="span">
        Importar descadastros
      </Text>
    }
    closeButtonProps={{ 'aria-label': 'Fechar' }}
  >
    <SuppressionForm {...props} />
    <SuppressionLists onAsked={props.onAsked} />
  </Drawer>
)

const SuppressionForm = ({ used, onAsked, onClose }: Props) => {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [isOver, setOver] = useState(false)
  const form = useForm<Values>({
    initialValues: { text: '', channels: [], purposes: [...refusable], proof: '' },
  })
  // Until somebody chooses, all the channels the company has.
  const chosen = form.isDirty('channels') || form.values.channels.length ? form.values.channels : [...used]
  const lines = form.values.text.split(/\r\n|\r|\n/).filter((line) => line.trim()).length

  const handleFile = async (file: File | null | undefined) => {
    if (!file) return
    const problem = textFileProblem(file, 8)
    if (problem) return form.setFieldError('text', problem)
    form.setFieldValue('text', await textOfFile(file))
    if (!form.values.proof) form.setFieldValue('proof', `Lista ${file.name}`)
  }
  const handleSubmit = async (values: Values) => {
    setBusy(true)
    try {
      onAsked(await bringSuppressions(values))
      void cache.invalidateQueries({ queryKey: suppressionsQuery.queryKey })
      notify.success('Importando a lista. O relatório fica em “Em andamento”.')
      onClose()
    } catch (error) {
      const problem = problemsOf(error)[0]
      if (problem) form.setFieldError(problem.path, problem.message)
      else notify.error(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const values = { ...form.values, channels: chosen }
        const wrong = problemsIn(suppressionBody, values)
        if (!wrong.length) return void handleSubmit(values)
        form.setErrors(byField(wrong))
      }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Quem está na lista não recebe mais campanhas nem pesquisas, também quem ainda não é seu contato. O atendimento
          continua normal.
        </Text>
        <Textarea
          label="Telefones e e-mails"
          description={`Um por linha, ou um CSV com eles em qualquer coluna. Até ${formatNumber(mostSuppressed)} linhas.`}
          placeholder={'11 98765-4321\n+351 912 345 678\nmaria@exemplo.com'}
          required
          autosize
          minRows={6}
          maxRows={12}
          data-autofocus
          data-over={isOver || undefined}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event: DragEvent) => {
            const file = event.dataTransfer.files[0]
            setOver(false)
            if (!file) return
            event.preventDefault()
            void handleFile(file)
          }}
          {...form.getInputProps('text')}
        />
        <Group justify="space-between">
          <FileButton onChange={(file) => void handleFile(file)} accept=".csv,.txt,text/csv,text/plain">
            {(props) => (
              <Button {...props} variant="default" size="xs" leftSection={<IconFileUpload size={16} aria-hidden />}>
                Escolher arquivo
              </Button>
            )}
          </FileButton>
          <Text size="sm" c="dimmed" role="status" className="tabular">
            {lines > 0 && plural(lines, 'linha', 'linhas')}
          </Text>
        </Group>
        <MultiSelect
          label="Em quais canais"
          required
          data={channelKinds.map((value) => ({ value, label: channels[value].label }))}
          value={chosen}
          onChange={(next) =>
            form.setFieldValue(
              'channels',
              channelKinds.filter((kind) => next.includes(kind)),
            )
          }
          error={form.errors.channels}
        />
        <Checkbox.Group label="Não querem receber" required {...form.getInputProps('purposes')}>
          <Stack gap={8} mt={6}>
            {refusable.map((value) => (
              <Checkbox key={value} value={value} label={purposeLabels[value]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Textarea
          label="De onde veio a lista"
          description="Fica como prova em cada registro, com seu nome e a hora."
          placeholder="Não Me Perturbe, Procon, planilha da matriz…"
          required
          autosize
          maxLength={500}
          {...form.getInputProps('proof')}
        />
        <Group justify="flex-end" gap="xs">
          <Button type="submit" loading={busy}>
            Importar
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
