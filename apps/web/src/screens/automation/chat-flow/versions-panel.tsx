import type { Flow, FlowVersion } from '@balcao/contract/automation/flows/flows.ts'
import { titleOf } from '@balcao/contract/automation/flows/problems.ts'
import { ActionIcon, Badge, Button, Group, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import {
  readDraft,
  republishVersion,
  restoreVersion,
  versionQuery,
  versionsQuery,
} from '../../../features/automation/flows/api.ts'
import { useBuilder, useDesk } from '../../../features/automation/flows/builder-context.ts'
import { type Diff, diffOf } from '../../../features/automation/flows/edits.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './step-panel.module.css'
import own from './versions-panel.module.css'

type Props = { flow: Flow; onShow: (nodeId: string) => void; onClose: () => void }
type Asked = { what: 'restore' | 'publish'; version: FlowVersion }

/** What was published, by whom and why; one of them beside the draft, back into it, or running again. */
export const VersionsPanel = ({ flow, onShow, onClose }: Props) => {
  const { desk, readOnly } = useBuilder()
  const cache = useQueryClient()
  const versions = useQuery(versionsQuery(flow.id))
  const [opened, setOpened] = useState<string | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const act = useMutation({
    mutationFn: async ({ what, version }: Asked) => {
      if (what === 'publish') return republishVersion(flow.id, version.id)
      await desk.flush()
      await restoreVersion(flow.id, version.id)
      desk.catchUp(await readDraft(flow.id))
    },
    onSuccess: (_done, { what, version }) => {
      void cache.invalidateQueries({ queryKey: ['resource', 'chatFlow'] })
      void cache.invalidateQueries({ queryKey: ['flow-versions', flow.id] })
      notify.success(
        what === 'publish'
          ? `A versão ${version.number} voltou a valer para novas conversas.`
          : `A versão ${version.number} está no rascunho.`,
      )
    },
    onError: (error) => notify.error(messageOf(error)),
    onSettled: () => setAsked(null),
  })
  return (
    <aside className={classes.panel} aria-label="Versões do fluxo">
      <header className={classes.head}>
        <h2 className={classes.title}>Versões</h2>
        <ActionIcon size={32} aria-label="Fechar painel" onClick={onClose}>
          <IconX size={17} stroke={1.75} />
        </ActionIcon>
      </header>
      <div className={classes.fields}>
        {versions.isPending && <SkeletonList rows={4} />}
        {versions.error && <Text c="red">{messageOf(versions.error)}</Text>}
        {versions.data?.length === 0 && (
          <EmptyState title="Nada publicado ainda">
            Publique para que novas conversas sigam este fluxo. Cada publicação fica guardada aqui.
          </EmptyState>
        )}
        <ol className={own.list}>
          {versions.data?.map((version) => (
            <li key={version.id} className={own.version}>
              <div className={own.line}>
                <strong>Versão {version.number}</strong>
                {version.isPublished && (
                  <Badge size="sm" variant="light" color="green" tt="none">
                    Em uso
                  </Badge>
                )}
                <RelativeTime moment={version.at} className={own.when} />
              </div>
              <span className={own.meta}>
                {[
                  version.user?.name,
                  plural(version.nodes, 'passo', 'passos'),
                  version.running > 0 && plural(version.running, 'conversa em andamento', 'conversas em andamento'),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {version.note && <span>{version.note}</span>}
              {opened === version.id && <Comparison flowId={flow.id} versionId={version.id} onShow={onShow} />}
              <Group gap={4}>
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-expanded={opened === version.id}
                  onClick={() => setOpened(opened === version.id ? null : version.id)}
                >
                  {opened === version.id ? 'Esconder diferenças' : 'Comparar com o rascunho'}
                </Button>
                {!readOnly && (
                  <>
                    <Button variant="subtle" size="compact-sm" onClick={() => setAsked({ what: 'restore', version })}>
                      Restaurar
                    </Button>
                    {!version.isPublished && (
                      <Button variant="subtle" size="compact-sm" onClick={() => setAsked({ what: 'publish', version })}>
                        Publicar de novo
                      </Button>
                    )}
                  </>
                )}
              </Group>
            </li>
          ))}
        </ol>
      </div>
      <ConfirmDialog
        opened={asked !== null}
        title={
          asked?.what === 'publish'
            ? `Publicar de novo a versão ${asked.version.number}?`
            : `Restaurar a versão ${asked?.version.number ?? ''}?`
        }
        confirmLabel={asked?.what === 'publish' ? 'Publicar' : 'Restaurar'}
        busy={act.isPending}
        onConfirm={() => asked && act.mutate(asked)}
        onClose={() => setAsked(null)}
      >
        {asked?.what === 'publish'
          ? 'Novas conversas passam a seguir esta versão. O rascunho fica como está.'
          : 'Ela toma o lugar do rascunho. O que está publicado continua valendo até você publicar.'}
      </ConfirmDialog>
    </aside>
  )
}

const Comparison = ({
  flowId,
  versionId,
  onShow,
}: {
  flowId: string
  versionId: string
  onShow: (id: string) => void
}) => {
  const { desk, marks } = useBuilder()
  const nodes = useDesk(desk, (state) => state.nodes)
  const settings = useDesk(desk, (state) => state.settings)
  const version = useQuery(versionQuery(flowId, versionId))
  const diff = useMemo(
    () => version.data && diffOf(version.data, { nodes: [...nodes.values()], settings }),
    [version.data, nodes, settings],
  )
  useEffect(() => {
    marks.set({ diff: diff ? { added: new Set(diff.added), changed: new Set(diff.changed) } : null })
  }, [marks, diff])
  useEffect(() => {
    return () => marks.set({ diff: null })
  }, [marks])
  if (version.error) return <Text c="red">{messageOf(version.error)}</Text>
  if (!diff) return <SkeletonList rows={2} />
  return <DiffList diff={diff} nameOf={(id) => titleOf(nodes.get(id))} onShow={onShow} />
}

const DiffList = ({
  diff,
  nameOf,
  onShow,
}: {
  diff: Diff
  nameOf: (id: string) => string
  onShow: (id: string) => void
}) => {
  const { added, changed, removed, settings } = diff
  if (!added.length && !changed.length && !removed.length && !settings)
    return <span className={own.meta}>O rascunho é igual a esta versão.</span>
  const line = (id: string, sign: string, what: string) => (
    <li key={id}>
      <button type="button" className={own.change} onClick={() => onShow(id)}>
        <span className={own.sign} data-sign={sign} role="img" aria-label={what}>
          {sign}
        </span>
        {nameOf(id)}
      </button>
    </li>
  )
  return (
    <ul className={own.changes} aria-label="O que o rascunho tem de diferente">
      {added.map((id) => line(id, '+', 'Novo'))}
      {changed.map((id) => line(id, '~', 'Mudou'))}
      {removed.map((node) => (
        <li key={node.id} className={own.change}>
          <span className={own.sign} data-sign="-" role="img" aria-label="Saiu">
            −
          </span>
          {titleOf(node)}
        </li>
      ))}
      {settings && (
        <li className={own.change}>
          <span className={own.sign} data-sign="~" role="img" aria-label="Mudou">
            ~
          </span>
          Configurações do fluxo
        </li>
      )}
    </ul>
  )
}
