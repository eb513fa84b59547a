import type { ExportFormat, ExportQuery } from '@balcao/contract/conversations/exports.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Button, Checkbox, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { downloadFile } from '../../../kit/download.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'

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
  const leaving = useRef(new AbortController())
  useEffect(() => {
    leaving.current = new AbortController()
    return () => leaving.current.abort()
  }, [])
  const download = useMutation({
    mutationFn: () => exportConversation(ticket.id, { format, includeNotes }, leaving.current.signal),
    onSuccess: () => {
      notify.success('Conversa exportada.')
      onClose()
    },
  })
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
          download.mutate()
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
        {download.isError && (
          <Text size="sm" c="red" mt="md" role="alert">
            {messageOf(download.error)}
          </Text>
        )}
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" loading={download.isPending}>
            Exportar
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

const exportConversation = (ticketId: string, query: ExportQuery, signal: AbortSignal) =>
  downloadFile({ path: `/exportMessages/${ticketId}`, query, signal })
