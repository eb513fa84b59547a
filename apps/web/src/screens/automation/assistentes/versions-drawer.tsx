import type { Assistant } from '@balcao/contract/automation/assistants/assistants.ts'
import { Badge, Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { goBackTo, versionsQuery } from '../../../features/automation/assistants/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'

type Props = { assistantId: string; opened: boolean; onClose: () => void; onPublished: (next: Assistant) => void }
/** What was published, newest first; any of it can answer again. */
export const VersionsDrawer = ({ assistantId, opened, onClose, onPublished }: Props) => {
  const cache = useQueryClient()
  const versions = useQuery({ ...versionsQuery(assistantId), enabled: opened })
  const back = useMutation({
    mutationFn: (versionId: string) => goBackTo(assistantId, versionId),
    onSuccess: (next) => {
      void cache.invalidateQueries({ queryKey: ['assistant-versions', assistantId] })
      notify.success(`Versão ${next.published?.number ?? ''} voltou a responder.`)
      onPublished(next)
    },
    onError: (error) => notify.error(messageOf(error)),
  })
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      title="Versões"
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {versions.isError && <ErrorState message={messageOf(versions.error)} onRetry={() => void versions.refetch()} />}
      {versions.isPending && <SkeletonList rows={3} />}
      {versions.data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          Nada foi publicado ainda.
        </Text>
      )}
      <Stack gap="md">
        {versions.data?.items.map(({ id, number, at, user, note, signedReason, isPublished }) => (
          <Group key={id} justify="space-between" wrap="nowrap" align="flex-start">
            <div>
              <Text size="sm" fw={600}>
                Versão {number}
              </Text>
              {note && <Text size="sm">{note}</Text>}
              {signedReason && <Text size="sm">Assinada sem passar na avaliação: {signedReason}</Text>}
              <Text size="xs" c="dimmed">
                {[formatDateTime(at), user?.name].filter(Boolean).join(' · ')}
              </Text>
            </div>
            {isPublished ? (
              <Badge variant="light" style={{ flexShrink: 0 }}>
                Responde agora
              </Badge>
            ) : (
              <Button size="compact-sm" variant="default" loading={back.isPending} onClick={() => back.mutate(id)}>
                Voltar a esta
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Drawer>
  )
}
