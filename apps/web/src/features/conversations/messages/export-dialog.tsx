import type { ExportFormat, ExportQuery } from '@balcao/contract/conversations/exports.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { Button, Checkbox, Group, Modal, Progress, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { downloadFile } from '../../../kit/download.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
import { bulkJobsQuery, isUnderWay, receiveJob } from '../tickets/bulk-api.ts'

const formats: { value: ExportFormat; label: string; description: string }[] = [
  {
    value: 'pdf',
    label: 'PDF',
    description: 'Para imprimir ou anexar. As imagens vão dentro; os outros arquivos, pelo nome.',
  },
  { value: 'html', label: 'HTML', description: 'Um zip com a página e todos os arquivos da conversa.' },
  { value: 'text', label: 'Texto', description: 'Só as palavras, uma mensagem por linha.' },
]

/** The whole conversation as a file. */
export const ExportDialog = ({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) => {
  const canNotes = useCan('notes.read')
  const [format, setFormat] = useState<ExportFormat>('pdf')
  const [includeNotes, setIncludeNotes] = useState(false)
  const cache = useQueryClient()
  const [jobId, setJobId] = useState<string | null>(null)
  const asking = useMutation({
    mutationFn: () => askForExport(ticket.id, { format, includeNotes }),
    onSuccess: (asked) => {
      receiveJob(cache, asked)
      setJobId(asked.id)
    },
  })
  const jobs = useQuery({ ...bulkJobsQuery, enabled: jobId !== null, refetchInterval: 5_000 })
  const job = jobs.data?.find(({ id }) => id === jobId)
  const isMaking = asking.isPending || (jobId !== null && (!job || isUnderWay(job)))
  const saving = useMutation({
    mutationFn: (id: string) => downloadFile({ path: `/bulkJobs/${id}/result` }),
    onSuccess: () => {
      notify.success('Conversa exportada.')
      onClose()
    },
  })
  const { mutate: save } = saving
  const readyId = job?.hasResult ? job.id : null
  useEffect(() => {
    if (readyId) save(readyId)
  }, [readyId, save])
  const percent = job?.total ? Math.min(100, Math.floor((job.done / job.total) * 100)) : 0
  const trouble = asking.error ?? saving.error
  const problem = trouble ? messageOf(trouble) : job?.state === 'failed' ? job.error : null
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Exportar conversa</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setJobId(null)
          asking.mutate()
        }}
      >
        <Radio.Group
          label="Formato"
          value={format}
          onChange={(value) => setFormat(formats.find((one) => one.value === value)?.value ?? 'pdf')}
        >
          <Stack gap="sm" mt="xs">
            {formats.map((one) => (
              <Radio key={one.value} {...one} />
            ))}
          </Stack>
        </Radio.Group>
        {canNotes && (
          <Checkbox
            mt="md"
            label="Incluir notas internas"
            description="E o histórico de quem aceitou, transferiu ou pausou. Não marque se o arquivo vai para o cliente."
            checked={includeNotes}
            onChange={(event) => setIncludeNotes(event.currentTarget.checked)}
          />
        )}
        {isMaking && (
          <div role="status">
            <Progress value={percent} mt="md" aria-label="Exportando" />
            <Text size="sm" c="dimmed" mt={4} className="tabular">
              {percent}%. Pode fechar: o arquivo fica em Em andamento.
            </Text>
          </div>
        )}
        {problem && (
          <Text size="sm" c="red" mt="md" role="alert">
            {problem}
          </Text>
        )}
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            {isMaking ? 'Fechar' : 'Cancelar'}
          </Button>
          <Button type="submit" loading={isMaking || saving.isPending}>
            Exportar
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

const askForExport = (ticketId: string, query: ExportQuery) => api.post<BulkJob>(`/exportMessages/${ticketId}`, query)
