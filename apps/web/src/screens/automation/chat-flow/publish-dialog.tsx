import type { Flow, FlowProblem } from '@balcao/contract/automation/flows/flows.ts'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { publishFlow } from '../../../features/automation/flows/api.ts'
import { useBuilder } from '../../../features/automation/flows/builder-context.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { ProblemList } from './problems-panel.tsx'

type Props = {
  flow: Flow
  problems: readonly FlowProblem[]
  onShow: (problem: FlowProblem) => void
  onPublished: () => void
  onClose: () => void
}

/** The draft becomes what new conversations run, unless something in it cannot run. */
export const PublishDialog = ({ flow, problems, onShow, onPublished, onClose }: Props) => {
  const { desk } = useBuilder()
  const cache = useQueryClient()
  const [note, setNote] = useState('')
  const errors = problems.filter(({ level }) => level === 'error')
  const publish = useMutation({
    mutationFn: async () => {
      if (!(await desk.flush())) throw new Error('unsaved')
      await publishFlow(flow.id, desk.get().revision, note)
    },
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: ['resource', 'chatFlow'] })
      void cache.invalidateQueries({ queryKey: ['flow-versions', flow.id] })
      onPublished()
    },
  })
  const isUnsaved = publish.error?.message === 'unsaved'
  return (
    <Modal
      opened
      onClose={onClose}
      title={errors.length ? 'Ainda não dá para publicar' : 'Publicar fluxo'}
      size={520}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!errors.length) publish.mutate()
        }}
      >
        <Stack gap="sm">
          {errors.length > 0 ? (
            <Text c="dimmed">{plural(errors.length, 'coisa impede', 'coisas impedem')} a publicação:</Text>
          ) : (
            <Text c="dimmed">
              Novas conversas seguem esta versão.
              {flow.running > 0 &&
                ` ${plural(flow.running, 'conversa em andamento termina', 'conversas em andamento terminam')} na versão em que começaram.`}
            </Text>
          )}
          {problems.length > 0 && <ProblemList problems={errors.length ? errors : problems} onShow={onShow} />}
          {errors.length === 0 && (
            <TextInput
              data-autofocus
              label="O que mudou"
              description="Opcional. Aparece na lista de versões."
              maxLength={200}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
          )}
          {publish.error && (
            <Text c="red" role="alert" size="sm">
              {isUnsaved
                ? 'As últimas mudanças ainda não foram salvas. Tente de novo em um instante.'
                : messageOf(publish.error)}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {errors.length ? 'Voltar ao fluxo' : 'Cancelar'}
            </Button>
            {errors.length === 0 && (
              <Button type="submit" loading={publish.isPending}>
                Publicar
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
